// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/data/index/import.h"
#include "core/data/index/json_elements.h"
#include "core/data/index/named_pictures.h"
#include "core/data/index/waymo_license.h"
#include "core/data/source/sources.h"

#include <algorithm>
#include <mutex>

namespace roadtune::data {

namespace {

fs::path wholePath(const std::string& path) { return fs::absolute(path).lexically_normal(); }

// What the file calls its pictures, by their names in the index, and classes. Classes whose identifiers are no numbers
// are left out.
struct CocoNumbers {
  std::map<std::string, CocoImageId> images;
  std::map<std::string, std::int64_t> categories;

  static Result<CocoNumbers> read(const SourceSpec& spec) {
    const fs::path file = wholePath(spec.path), base = file.parent_path();
    std::vector<fs::path> folders;
    if (!spec.images.empty()) folders.push_back(wholePath(spec.images));
    ImageLookup lookup(file, std::move(folders));
    CocoNumbers numbers;
    const auto visit = [](const char* key, const auto& add) {
      return [key, &add](nlohmann::json& element) {
        const auto id = element.find("id"), name = element.find(key);
        if (id == element.end() || name == element.end() || !name->is_string()) return true;
        if (id->is_number()) add(name->get<std::string>(), CocoImageId(id->get<std::int64_t>()));
        if (id->is_string()) add(name->get<std::string>(), CocoImageId(id->get<std::string>()));
        return true;
      };
    };
    const auto addImage = [&](const std::string& name, const CocoImageId& id) {
      const auto found = lookup.find(name);
      numbers.images.emplace(found ? pictureName(*found, base) : name, id);
    };
    const auto addCategory = [&](const std::string& name, const CocoImageId& id) {
      if (const auto* number = std::get_if<std::int64_t>(&id)) numbers.categories.emplace(name, *number);
    };
    ROADTUNE_CHECK(
        forEachElement(file, {{"images", visit("file_name", addImage)}, {"categories", visit("name", addCategory)}}));
    return numbers;
  }
};

// Through an index made for this run only.
class CocoSource : public SampleSource {
 public:
  CocoSource(SourceSpec spec, fs::path folder, std::unique_ptr<SampleSource> source)
      : m_spec(std::move(spec)), m_folder(std::move(folder)), m_source(std::move(source)) {}
  ~CocoSource() override {
    m_source.reset();
    std::error_code code;
    fs::remove_all(m_folder, code);
  }

  std::size_t size() const override { return m_source->size(); }
  bool containsWaymoData() const override { return m_source->containsWaymoData(); }
  std::string group(std::size_t i) const override { return m_source->group(i); }
  std::string origin(std::size_t i) const override { return m_spec.path + "\n" + m_source->group(i); }
  std::string split(std::size_t i) const override { return m_source->split(i); }
  std::vector<std::string> unknownClasses() const override { return m_source->unknownClasses(); }
  CocoImageId imageId(std::size_t i) const override {
    const auto sample = m_source->text(i);
    const auto& images = numbers().images;
    const auto found = sample.ok() ? images.find(sample.value().id) : images.end();
    return found == images.end() ? m_source->imageId(i) : found->second;
  }
  std::map<std::string, std::int64_t> categoryNumbers() const override {
    return numbers().categories.empty() ? m_source->categoryNumbers() : numbers().categories;
  }
  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override { return m_source->text(i, epoch); }
  Result<Sample> get(std::size_t i, std::uint64_t epoch) const override { return m_source->get(i, epoch); }

 private:
  // Read when somebody asks: training does not. Of a file that went away since its import none are known.
  const CocoNumbers& numbers() const {
    std::call_once(m_asked, [this] {
      if (auto read = CocoNumbers::read(m_spec); read.ok()) m_numbers = std::move(read).value();
    });
    return m_numbers;
  }

  SourceSpec m_spec;
  fs::path m_folder;
  std::unique_ptr<SampleSource> m_source;
  mutable std::once_flag m_asked;
  mutable CocoNumbers m_numbers;
};

Result<std::shared_ptr<const Index>> importInto(const SourceSpec& spec, const fs::path& folder) {
  ImportRequest request;
  request.sources.emplace_back(spec.path);
  if (!spec.images.empty()) request.sources.emplace_back(spec.images);
  request.out = folder;
  request.jobs = 1;
  request.acceptWaymoLicense = [&]() -> Status {
    return waymoLicenseAccepted() ? Status() : Status(waymoLicenseMissing(spec.path));
  };
  std::string first;
  request.onProblem = [&](const Problem& problem) {
    if (first.empty()) first = problem.what;
  };
  const std::unique_ptr<ProgressSink> silent = makeProgressSink(ProgressStyle::None);
  ROADTUNE_TRY(const ImportOutcome outcome, data::importInto(request, basicReaders(), *silent));
  if (outcome.usable == 0) return badInput(first.empty() ? "holds no usable image" : first, spec.path);
  return Index::open(folder);
}

}  // namespace

std::vector<std::string> keepKnownClasses(const Index& index, TaskTemplate& task) {
  std::vector<std::string> unknown;
  std::erase_if(task.classes, [&](const std::string& name) {
    if (index.findClass(name)) return false;
    unknown.push_back(name);
    return true;
  });
  return unknown;
}

Result<std::unique_ptr<SampleSource>> underItsName(Result<std::unique_ptr<SampleSource>> opened, const fs::path& folder,
                                                   const std::string& name) {
  if (opened.ok() || opened.error().where != folder.string()) return opened;
  Error error = opened.error();
  error.where = name;
  return error;
}

Result<std::unique_ptr<SampleSource>> openCocoSource(const SourceSpec& spec, const TaskTemplate& given) {
  ROADTUNE_TRY(const fs::path folder, makeTemporaryFolder("roadtune-coco-"));
  const auto open = [&]() -> Result<std::unique_ptr<SampleSource>> {
    ROADTUNE_TRY(std::shared_ptr<const Index> index, importInto(spec, folder));
    TaskTemplate task = given;
    std::vector<std::string> unknown;
    if (!task.unlabelled) unknown = keepKnownClasses(*index, task);
    ROADTUNE_TRY(auto seen, underItsName(openIndexSource(std::move(index), spec.query, task, std::move(unknown)),
                                         folder, spec.path));
    return std::unique_ptr<SampleSource>(std::make_unique<CocoSource>(spec, folder, std::move(seen)));
  };
  Result<std::unique_ptr<SampleSource>> source = open();
  if (!source.ok()) {
    std::error_code code;
    fs::remove_all(folder, code);
  }
  return source;
}

}  // namespace roadtune::data
