// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/waymo_license.h"

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/this_user.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace roadtune::data {

namespace {

constexpr const char* kVariable = "ROADTUNE_ACCEPT_WAYMO_LICENSE";

fs::path acceptanceFile() { return userConfigFolder() / "roadtune" / "waymo-license.json"; }

}  // namespace

std::string_view waymoLicenseSummary() {
  return "These recordings belong to the Waymo Open Dataset. Its licence allows non-commercial use only: research,\n"
         "teaching, publication, personal experiments. The data must not be passed on to people who did not accept\n"
         "the same terms; models trained on it stay non-commercial, carry the terms with them, and must not help to\n"
         "operate a vehicle. The full text: https://waymo.com/open/terms\n";
}

std::string_view waymoLicenseHint() {
  return "read https://waymo.com/open/terms, then set ROADTUNE_ACCEPT_WAYMO_LICENSE=1, or pass "
         "--accept-waymo-license to `roadtune data index`, which remembers it";
}

Error waymoLicenseMissing(const std::string& where) {
  return badInput(
      "Waymo data needs one acknowledgement of its licence: --accept-waymo-license, or "
      "ROADTUNE_ACCEPT_WAYMO_LICENSE=1, or an earlier one",
      where, std::string(waymoLicenseHint()));
}

bool waymoLicenseAccepted() {
  const char* value = std::getenv(kVariable);
  if (value && std::string_view(value) == "1") return true;
  const Result<std::string> stored = readFile(acceptanceFile());
  if (!stored.ok()) return false;
  const nlohmann::json record = nlohmann::json::parse(stored.value(), nullptr, false);
  return record.is_object() && record.contains("accepted") && record["accepted"].is_string();
}

Status storeWaymoLicenseAcceptance() {
  const std::filesystem::path file = acceptanceFile();
  ROADTUNE_CHECK(makeFolders(file.parent_path()));
  const nlohmann::json record = {{"accepted", isoTime(wallSeconds())}, {"terms", "https://waymo.com/open/terms"}};
  return writeFileAtomically(file, record.dump(2) + "\n");
}

std::string_view waymoAttribution() {
  return "This work was made using the Waymo Open Dataset, provided by Waymo LLC under license terms available at\n"
         "https://waymo.com/open/terms (Waymo Dataset License Agreement for Non-Commercial Use).\n"
         "Access to and use of it, and of everything made from it, is governed by that agreement: non-commercial use\n"
         "only, never to operate a vehicle or to assist in operating one, and only passed on together with these\n"
         "terms.\n";
}

bool hasWaymoAttribution(const std::filesystem::path& folder) {
  const Result<std::string> text = readFile(folder / "ATTRIBUTION");
  return text.ok() && text.value().find("Waymo Open Dataset") != std::string::npos;
}

}  // namespace roadtune::data
