// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/loop/session.h"

namespace roadtune::engine {

// An error of a run that wanted more memory than there is, with what takes it: the plan's parts, the largest first, and
// what was held at the end. Any other error stays as it is.
Error withMemoryByPart(const Session& session, Error error);

}  // namespace roadtune::engine
