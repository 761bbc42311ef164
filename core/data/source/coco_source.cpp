// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/data/index/import.h"
#include "core/data/index/waymo_license.h"
#include "core/data/source/sources.h"

#include <algorithm>

namespace roadtune::data {

namespace {

// An index made for this run only.
class TemporaryIndexSource : public SampleSource {
 public:
  TemporaryIndexSource(fs::path folder, std::unique_ptr<SampleSource> source)
      : m_folder(std::move(folder)), m_source(std::move(source)) {}
  ~TemporaryIndexSource() override {
    m_source.reset();
    std::error_code code;
    fs::remove_all(m_folder, code);
  }

  std::size_t size() const override { return m_source->size(); }
  bool containsWaymoData() const override { return m_source->containsWaymoData(); }
  std::string group(std::size_t i) const override { return m_source->group(i); }
  std::size_t place(std::size_t i) const override { return m_source->place(i); }
  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override { return m_source->text(i, epoch); }
  Result<Sample> get(std::size_t i, std::uint64_t epoch) const override { return m_source->get(i, epoch); }

 private:
  fs::path m_folder;
  std::unique_ptr<SampleSource> m_source;
};

Result<std::shared_ptr<const Index>> importInto(const SourceSpec& spec, const fs::path& folder) {
  ImportRequest request;
  request.sources.emplace_back(spec.path);
  if (!spec.images.empty()) request.sources.emplace_back(spec.images);
  request.out = folder;
  request.jobs = 1;
  request.acceptWaymoLicense = [&]() -> Status {
    if (waymoLicenseAccepted()) return {};
    return badInput("Waymo data needs one acknowledgement of its licence", spec.path, std::string(waymoLicenseHint()));
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

void keepKnownClasses(const Index& index, TaskTemplate& task) {
  std::erase_if(task.classes, [&](const std::string& name) { return !index.findClass(name); });
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
    keepKnownClasses(*index, task);
    return underItsName(openIndexSource(std::move(index), spec.query, task), folder, spec.path);
  };
  Result<std::unique_ptr<SampleSource>> source = open();
  if (!source.ok()) {
    std::error_code code;
    fs::remove_all(folder, code);
    return source.error();
  }
  return std::unique_ptr<SampleSource>(std::make_unique<TemporaryIndexSource>(folder, std::move(source).value()));
}

}  // namespace roadtune::data
