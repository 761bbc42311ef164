// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mirrored_run.h"

#include "app/cli/depot.h"
#include "core/base/host_name.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/config/resolve.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/manifest.h"
#include "core/protocol/run_layout.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace roadtune::cli {

namespace fs = std::filesystem;

namespace {

// Run and step that a place names: ".../night/checkpoint-40".
struct MirrorPlace {
  std::string run;
  std::optional<std::int64_t> step;
};

MirrorPlace placeOf(std::string place) {
  while (place.size() > 1 && place.back() == '/') place.pop_back();
  const auto slash = place.rfind('/');
  const auto step = protocol::checkpointStep(std::string_view(place).substr(slash + 1));
  return step ? MirrorPlace{place.substr(0, slash), step} : MirrorPlace{place, {}};
}

class MirroredRun {
 public:
  MirroredRun(MirrorPlace place, std::unique_ptr<Depot> depot, ProgressSink& progress)
      : m_place(std::move(place)), m_depot(std::move(depot)), m_progress(progress) {}

  Result<fs::path> bring(const std::string& into) {
    ROADTUNE_TRY(m_names, m_depot->list());
    for (const char* needed : {"run.yaml", "manifest.json"})
      if (!has(needed))
        return badInput(std::string("holds no copy of a run (no ") + needed + ")", m_place.run,
                        "name the folder of the run below mirror_checkpoints_to");
    ROADTUNE_TRY(const std::int64_t step, chooseStep());
    ROADTUNE_TRY(const std::string text, m_depot->read("manifest.json"));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    ROADTUNE_TRY(protocol::Manifest manifest, protocol::manifestFromJson(json, m_place.run + "/manifest.json"));
    ROADTUNE_TRY(const fs::path folder, chooseFolder(into));
    const protocol::RunLayout layout(folder);
    ROADTUNE_CHECK(checkFolder(layout, manifest, step));
    if (!layout.isRun()) ROADTUNE_CHECK(bringFacts(layout, std::move(manifest)));
    ROADTUNE_CHECK(bringCheckpoint(layout, step));
    return folder;
  }

 private:
  bool has(const std::string& name) const { return std::find(m_names.begin(), m_names.end(), name) != m_names.end(); }

  Result<std::int64_t> chooseStep() const {
    std::optional<std::int64_t> newest;
    for (const std::string& name : m_names) {
      const auto slash = name.find('/');
      const auto step = protocol::checkpointStep(std::string_view(name).substr(0, slash));
      if (!step || name.substr(slash + 1) != protocol::kCompleteMarker) continue;
      if (m_place.step == step) return *step;
      if (!newest || *step > *newest) newest = step;
    }
    if (m_place.step)
      return badInput(fmt::format("there is no complete checkpoint of step {}", *m_place.step), m_place.run,
                      newest ? fmt::format("checkpoint-{} is complete", *newest) : "");
    if (!newest) return failed("there is no complete checkpoint to continue from", m_place.run);
    return *newest;
  }

  Result<fs::path> chooseFolder(const std::string& into) const {
    std::error_code code;
    if (!into.empty()) return fs::absolute(into, code).lexically_normal();
    ROADTUNE_TRY(const std::string yaml, m_depot->read("run.yaml"));
    const auto resolution = config::resolve(config::Document(yaml, "run.yaml"));
    if (!resolution.config) return badInput(config::toText(resolution.problems), m_place.run);
    return fs::path(resolution.config->text("output_dir"));
  }

  Status checkFolder(const protocol::RunLayout& layout, const protocol::Manifest& manifest, std::int64_t step) const {
    std::error_code code;
    if (!fs::exists(layout.root(), code) || fs::is_empty(layout.root(), code)) return {};
    const auto there = protocol::readManifest(layout.manifest());
    if (!there.ok() || there.value().runId != manifest.runId)
      return badInput("holds something else", layout.root().string(), "--into DIR for another folder");
    const auto last = layout.lastCompleteCheckpoint();
    if (last && last->step > step)
      return badInput(fmt::format("this run is here already, with a newer checkpoint of step {}", last->step),
                      layout.root().string(),
                      "roadtune resume " + remote::shellQuote(layout.root().string()) + ", or --into DIR");
    return {};
  }

  Status bringFacts(const protocol::RunLayout& layout, protocol::Manifest manifest) {
    ROADTUNE_CHECK(makeFolders(layout.events()));
    ROADTUNE_CHECK(makeFolders(layout.logs()));
    for (const std::string& name : m_names)
      if (startsWith(name, "events/")) ROADTUNE_CHECK(m_depot->get(name, layout.root() / name, m_progress));
    ROADTUNE_TRY(const std::string yaml, m_depot->read("run.yaml"));
    config::Document document(yaml, layout.config());
    ROADTUNE_CHECK(document.set("output_dir", layout.root().string()));
    ROADTUNE_CHECK(document.save());
    // It goes on here, wherever it was before.
    const int processes = manifest.nodes.empty() ? 1 : manifest.nodes.front().processes;
    manifest.nodes = {{.node = 0, .host = hostName(), .processes = processes}};
    return protocol::writeManifest(layout.manifest(), manifest);
  }

  Status bringCheckpoint(const protocol::RunLayout& layout, std::int64_t step) {
    std::error_code code;
    const fs::path target = layout.checkpoint(step);
    const std::string name = target.filename().string(), complete = protocol::kCompleteMarker;
    if (fs::exists(target / complete, code)) return {};
    ROADTUNE_TRY(const std::string marker, m_depot->read(name + "/" + complete));
    ROADTUNE_TRY(const auto files, protocol::readMarker(marker, m_place.run + "/" + name));
    const fs::path aside = layout.root() / ("." + name + ".fetched");
    for (const auto& file : files) {
      if (protocol::verifyCheckpointFile(aside, file, protocol::Compare::Content).ok())
        continue;  // of an interrupted call
      fs::remove(aside / file.name, code);
      ROADTUNE_CHECK(m_depot->get(name + "/" + file.name, aside / file.name, m_progress));
      if (!protocol::verifyCheckpointFile(aside, file, protocol::Compare::Content).ok())
        return failed(file.name + " is not what the trainer wrote", m_place.run + "/" + name,
                      "an older checkpoint, or copy it again");
    }
    return protocol::adoptCheckpoint(aside, target, marker);
  }

  MirrorPlace m_place;
  std::unique_ptr<Depot> m_depot;
  ProgressSink& m_progress;
  std::vector<std::string> m_names;
};

}  // namespace

bool isMirrorPlace(const std::string& place, const std::string& into) {
  std::error_code code;
  if (isUrl(place)) return true;
  const protocol::RunLayout copy(fs::absolute(placeOf(place).run, code).lexically_normal());
  if (!fs::exists(copy.manifest(), code)) return isHostPath(place) && !fs::exists(place, code);
  if (!into.empty()) return true;
  const auto config = config::loadRunConfig(copy.config());
  const std::string target = config.ok() ? config.value().text("mirror_checkpoints_to") : std::string();
  if (target.empty() || isUrl(target) || isHostPath(target)) return false;
  return fs::equivalent(copy.root().parent_path(), target, code);
}

Result<fs::path> bringMirroredRun(const std::string& place, const std::string& into, ProgressSink& progress) {
  MirrorPlace named = placeOf(place);
  ROADTUNE_TRY(auto depot, Depot::open(named.run));
  return MirroredRun(std::move(named), std::move(depot), progress).bring(into);
}

}  // namespace roadtune::cli
