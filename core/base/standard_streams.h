// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roadtune {

// First thing in a program. A standard stream that came closed gets a place, so that no file of ours takes its number;
// its output still fails. And words on stderr that nobody can take (a full disk, a reader that left) are lost alone:
// printing them never fails.
void keepStandardStreams();

}  // namespace roadtune
