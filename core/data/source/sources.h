// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "core/data/source/sample_source.h"

#include <filesystem>
#include <memory>

namespace roadtune::data {

// The images of an index that the task covers, in index order, or in the order of the query when it sorts. `unknown`:
// classes that were left out of the task.
Result<std::unique_ptr<SampleSource>> openIndexSource(std::shared_ptr<const Index> index, const std::string& query,
                                                      const TaskTemplate& task, std::vector<std::string> unknown = {});

// Classes by name, as an index numbers them: by their places.
std::map<std::string, std::int64_t> numberedByPlace(const std::vector<std::string>& classes);

// Classes that the index does not have are not asked for; they are the answer. Empties the list when it has none of
// them.
std::vector<std::string> keepKnownClasses(const Index& index, TaskTemplate& task);

// An error about the folder of an index that was made for the user's data tells of the data.
Result<std::unique_ptr<SampleSource>> underItsName(Result<std::unique_ptr<SampleSource>> opened,
                                                   const std::filesystem::path& folder, const std::string& name);

// A COCO file, seen through an index that lives as long as the source.
Result<std::unique_ptr<SampleSource>> openCocoSource(const SourceSpec& spec, const TaskTemplate& task);

// JSON lines {"image", "prefix", "suffix"} in file order.
Result<std::unique_ptr<SampleSource>> openJsonlSource(const SourceSpec& spec);

}  // namespace roadtune::data
