// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/fetched.h"

#include "core/base/files.h"
#include "core/base/json_text.h"
#include "core/base/url.h"

#include <nlohmann/json.hpp>

namespace roadtune::data {

namespace {

fs::path recordIn(const fs::path& prepared) { return prepared / "fetched.json"; }

}  // namespace

FetchedSources readFetched(const fs::path& prepared) {
  FetchedSources sources;
  const auto text = readFile(recordIn(prepared));
  const auto value = nlohmann::json::parse(text.ok() ? text.value() : "", nullptr, false);
  if (!value.is_object()) return sources;
  for (const auto& [url, place] : value.items())
    if (place.is_string()) sources[url] = place.get<std::string>();
  return sources;
}

Status writeFetched(const fs::path& prepared, const FetchedSources& sources) {
  ROADTUNE_CHECK(makeFolders(prepared));
  return writeFileAtomically(recordIn(prepared), jsonText(nlohmann::json(sources)) + "\n");
}

Result<SourceSpec> withFetchedPaths(SourceSpec spec) {
  if (!isUrl(spec.path) && !isUrl(spec.images)) return spec;
  const FetchedSources fetched = readFetched(spec.prepared);
  for (std::string* path : {&spec.path, &spec.images}) {
    if (!isUrl(*path)) continue;
    const auto found = fetched.find(*path);
    if (found == fetched.end())
      return badInput("was not fetched; `roadtune train` does it when it starts a run", *path,
                      "`roadtune data fetch " + *path + "`, and name the folder that it prints");
    *path = found->second;
  }
  return spec;
}

}  // namespace roadtune::data
