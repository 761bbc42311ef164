// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/nccl_version.h"

#include "core/base/files.h"

#include <dlfcn.h>

namespace roadtune::remote {

using nlohmann::json;

namespace {

constexpr const char* kName = "libnccl.so.2";

// torch's own order: the wheel beside it, its own folder, the system's.
fs::path libraryFor(const fs::path& torch) {
  std::error_code code;
  for (const auto& folder : {torch / "../../nvidia/nccl/lib", torch})
    if (fs::exists(folder / kName, code)) return fs::weakly_canonical(folder / kName, code);
  return kName;
}

// 22809 is 2.28.9; before 2.9 it was 2808.
std::string versionText(int number) {
  const int unit = number < 10000 ? 1000 : 10000;
  return std::to_string(number / unit) + "." + std::to_string(number % unit / 100) + "." + std::to_string(number % 100);
}

}  // namespace

json ncclFacts(const fs::path& torch) {
  const fs::path library = libraryFor(torch);
  json facts{{"version", nullptr}, {"library", library.string()}};
  void* const opened = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!opened) {
    const char* why = ::dlerror();
    facts["error"] = why ? why : "cannot be opened";
    return facts;
  }
  using GetVersion = int (*)(int*);
  const auto ask = reinterpret_cast<GetVersion>(::dlsym(opened, "ncclGetVersion"));
  int number = 0;
  if (ask && ask(&number) == 0 && number > 0)
    facts["version"] = versionText(number);
  else
    facts["error"] = library.string() + " does not tell its version";
  return facts;
}

}  // namespace roadtune::remote
