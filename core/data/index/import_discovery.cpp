// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/import_discovery.h"

#include "core/data/index/find_files.h"
#include "core/data/index/index.h"
#include "core/data/index/segment_meta.h"
#include "core/protocol/run_layout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace roadtune::data {

namespace fs = std::filesystem;

namespace {

// A component of Waymo's tables, which say nothing without their neighbours: its folder, or a file of it.
std::optional<fs::path> rootOfPart(const fs::path& source) {
  constexpr std::array kComponents = {
      "camera_image", "camera_box", "camera_calibration", "camera_hkp",        "stats",      "vehicle_pose",
      "lidar",        "lidar_box",  "lidar_hkp",          "lidar_calibration", "lidar_pose", "projected_lidar_box"};
  const auto isTable = [](const std::string& name) { return name.ends_with(".parquet"); };
  std::error_code code;
  const fs::path folder = isTable(source.filename().string()) ? source.parent_path()
                          : source.has_filename()             ? source
                                                              : source.parent_path();
  if (std::ranges::find(kComponents, folder.filename().string()) == kComponents.end()) return std::nullopt;
  if (fs::is_directory(source, code) && findFiles(source, isTable).empty()) return std::nullopt;
  return folder.parent_path().parent_path();
}

class Planner {
 public:
  explicit Planner(const RecordingReaders& readers) : m_readers(readers) {}

  void add(const fs::path& given) {
    std::error_code code;
    const fs::path source = fs::absolute(given, code).lexically_normal();
    if (!fs::exists(source, code)) {
      problem(given, "no such file or folder", "passed over");
      return;
    }
    const std::size_t before = m_plan.units.size();
    const std::size_t problemsBefore = m_plan.problems.size(), uselessBefore = m_useless.size();
    m_again = false;
    for (const auto& reader : m_readers) ask(*reader, source);
    for (const auto& [path, why] : findUnreadable(source)) problem(path, why, "passed over");
    if (m_plan.units.size() > before) m_groups.push_back({before, {}});
    if (m_plan.units.size() > before) m_useless.resize(uselessBefore);  // something else says it
    if (m_plan.units.size() > before || m_plan.problems.size() > problemsBefore || m_again) return;
    if (fs::is_directory(source, code) && !findFiles(source, isImageName).empty()) {
      m_imageFolders.push_back(source);
      if (!m_groups.empty()) m_groups.back().folders.push_back(source);
      return;
    }
    if (const auto root = rootOfPart(source)) {
      problem(given, "is one part of Waymo's tables, which need the others; give their root, " + root->string(),
              "passed over");
      return;
    }
    const bool folder = fs::is_directory(source, code);
    if (m_useless.size() > uselessBefore) {
      m_plan.problems.insert(m_plan.problems.end(), m_useless.begin() + static_cast<std::ptrdiff_t>(uselessBefore),
                             m_useless.end());
      m_useless.resize(uselessBefore);
      return;
    }
    problem(given,
            Index::looksLikeIndex(source)         ? "is an index, not recordings"
            : protocol::RunLayout(source).isRun() ? "is a run, not recordings"
            : folder                              ? "holds no recordings of a known kind"
                                                  : "is not a recording of a known kind",
            "passed over");
  }

  ImportPlan finish() {
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
      const std::size_t end = i + 1 < m_groups.size() ? m_groups[i + 1].firstUnit : m_plan.units.size();
      for (std::size_t k = m_groups[i].firstUnit; k < end; ++k) giveFolders(m_plan.units[k].unit, m_groups[i].folders);
    }
    if (!m_plan.units.empty()) return std::move(m_plan);
    for (Problem& one : m_useless) m_plan.problems.push_back(std::move(one));
    if (m_useless.empty())
      for (const fs::path& folder : m_imageFolders)
        problem(folder, "holds pictures, but no annotation file says what they are", "passed over");
    return std::move(m_plan);
  }

 private:
  void problem(const fs::path& file, std::string what, std::string done) {
    m_plan.problems.push_back({.file = file.string(), .what = std::move(what), .done = std::move(done)});
  }

  // Those given right after the source of the unit first: `a.json a-pictures b.json b-pictures`.
  void giveFolders(ImportUnit& unit, const std::vector<fs::path>& own) const {
    unit.imageFolders = own;
    unit.nearFolders = own.size();
    for (const fs::path& folder : m_imageFolders)
      if (std::find(own.begin(), own.end(), folder) == own.end()) unit.imageFolders.push_back(folder);
  }

  void ask(const RecordingReader& reader, const fs::path& source) {
    Result<std::vector<ImportUnit>> units = reader.discover(source);
    if (!units.ok()) {
      const std::string& about = units.error().where;
      m_useless.push_back(
          {.file = about.empty() ? source.string() : about, .what = units.error().what, .done = "passed over"});
      return;
    }
    for (ImportUnit& unit : units.value()) {
      bool taken = false;
      for (const fs::path& file : unit.files) taken = taken || m_claimed.contains(file);
      m_again = m_again || taken;
      if (taken) continue;
      m_claimed.insert(unit.files.begin(), unit.files.end());
      std::string key = reader.format() + ":" + writtenPath(unit.name);  // as the catalogue holds it
      m_plan.units.push_back({&reader, std::move(unit), std::move(key)});
    }
  }

  const RecordingReaders& m_readers;
  ImportPlan m_plan;
  std::set<fs::path> m_claimed;
  std::vector<fs::path> m_imageFolders;
  std::vector<Problem> m_useless;  // files beside pictures that might have said something: told where nothing else does
  struct Group {
    std::size_t firstUnit = 0;  // of one source
    std::vector<fs::path> folders;
  };
  std::vector<Group> m_groups;
  bool m_again = false;  // the source names what an earlier one named already
};

}  // namespace

ImportPlan planImport(const std::vector<fs::path>& sources, const RecordingReaders& readers) {
  Planner planner(readers);
  for (const fs::path& source : sources) planner.add(source);
  return planner.finish();
}

}  // namespace roadtune::data
