// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace roadtune::data {

// What somebody who imports the Waymo Open Dataset agrees to; for people, several lines.
std::string_view waymoLicenseSummary();

// What to do when nobody agreed yet; one line with the flag and the variable.
std::string_view waymoLicenseHint();

// That nobody agreed yet, about the data at `where`.
Error waymoLicenseMissing(const std::string& where);

// Agreed now (ROADTUNE_ACCEPT_WAYMO_LICENSE=1) or earlier (a file with the date in the user's configuration folder).
bool waymoLicenseAccepted();

// Keeps the acknowledgement with today's date.
Status storeWaymoLicenseAcceptance();

// The text that must travel with everything made from the data: ATTRIBUTION files, checkpoints.
std::string_view waymoAttribution();

// Does an ATTRIBUTION file in the folder say that what lies there was made from the data?
bool hasWaymoAttribution(const std::filesystem::path& folder);

}  // namespace roadtune::data
