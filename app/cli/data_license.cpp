// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_license.h"

#include "core/data/index/waymo_license.h"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace roadtune::cli {

namespace {

bool askForLicense() {
  fmt::print(stderr, "\n{}Do you accept these terms? [y/N] ", data::waymoLicenseSummary());
  char answer[16] = {};
  return std::fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

}  // namespace

Status acceptWaymo(bool flag, const std::string& where) {
  if (!flag) {
    if (data::waymoLicenseAccepted()) return {};
    const bool terminal = ::isatty(STDIN_FILENO) && ::isatty(STDERR_FILENO);
    if (!terminal || !askForLicense()) return data::waymoLicenseMissing(where);
  }
  const Status stored = data::storeWaymoLicenseAcceptance();
  if (!stored.ok()) fmt::print(stderr, "the acknowledgement holds for this import only: {}\n", stored.error().text());
  return {};
}

}  // namespace roadtune::cli
