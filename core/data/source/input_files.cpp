// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/source/input_files.h"

#include "core/base/files.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/data/index/catalogue.h"
#include "core/data/index/image_lookup.h"
#include "core/data/index/index.h"
#include "core/data/index/json_elements.h"
#include "core/data/index/source_files.h"
#include "core/data/query/query.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace roadtune::data {

namespace {

using nlohmann::json;
using Files = std::set<fs::path>;

void addFile(Files& files, const fs::path& file) { files.insert(fs::absolute(file).lexically_normal()); }

// All that lies below a folder.
void addTree(Files& files, const fs::path& path) {
  std::error_code code;
  if (fs::is_regular_file(path, code)) return addFile(files, path);
  const auto options = fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(path, options, code), end; !code && at != end; at.increment(code))
    if (at->is_regular_file(code)) addFile(files, at->path());
}

// An index without what only people look at. Tags and notes change all the time; queries that ask for them need them.
void addIndex(Files& files, const SourceSpec& spec) {
  const Result<Query> query = Query::parse(spec.query);
  const bool asked = query.ok() && query.value().asksForUserData();
  const IndexLayout layout{spec.path};
  addFile(files, layout.catalogue());
  addTree(files, layout.segmentFolder());
  addTree(files, layout.blobFolder());
  std::error_code code;
  if (asked && fs::exists(layout.userData(), code)) addFile(files, layout.userData());
}

void addPicture(Files& files, ImageLookup& lookup, const json& object, const char* key) {
  const auto name = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || name == object.end() || !name->is_string()) return;
  if (const auto file = lookup.find(name->get<std::string>())) addFile(files, *file);
}

ImageLookup lookupOf(const SourceSpec& spec) {
  return {fs::absolute(spec.path), spec.images.empty() ? std::vector<fs::path>{} : std::vector<fs::path>{spec.images}};
}

Status addPicturesOfLines(Files& files, const SourceSpec& spec) {
  ROADTUNE_TRY(const MappedFile content, MappedFile::open(spec.path, MappedFile::Access::Sequential));
  ImageLookup lookup = lookupOf(spec);
  const std::string_view all = content.text();
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    addPicture(files, lookup, json::parse(all.substr(at, end - at), nullptr, false), "image");
    at = end + 1;
  }
  return {};
}

Status addPicturesOfCoco(Files& files, const SourceSpec& spec) {
  ImageLookup lookup = lookupOf(spec);
  return forEachElement(spec.path, {{"images", [&](json& image) {
                                       addPicture(files, lookup, image, "file_name");
                                       return true;
                                     }}});
}

// What the images of an index are read from: recordings, or files of their own; blobs lie in its folder.
Status addRecordings(Files& files, const fs::path& folder) {
  ROADTUNE_TRY(const auto index, Index::open(folder));
  for (std::size_t i = 0; i < index->segmentCount(); ++i) {
    const Segment& segment = index->segment(i);
    std::set<std::uint32_t> read;
    for (ImageId image = index->firstImage(i); image < index->firstImage(i + 1); ++image) {
      const std::uint32_t source = segment.images().source[index->locate(image).second];
      if (source < segment.sourceFiles().size()) read.insert(source);
      std::error_code code;
      if (source == Segment::kExternal && fs::is_regular_file(index->imageFile(image), code))
        addFile(files, index->imageFile(image));
    }
    for (const std::uint32_t source : read) {
      ROADTUNE_TRY(const fs::path file, locateSource(segment.sourceFiles()[source], folder));
      addFile(files, file);
    }
  }
  return {};
}

// What has a file of this name beside it belongs to it: whose data it is travels with the data.
void addAttribution(Files& files, const fs::path& folder) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const std::string name = lower(entry.path().filename().string());
    if (entry.is_regular_file(code) && (startsWith(name, "attribution") || startsWith(name, "license")))
      addFile(files, entry.path());
  }
}

}  // namespace

Result<std::vector<fs::path>> inputFiles(const SourceSpec& spec) {
  std::error_code code;
  if (!fs::exists(spec.path, code)) return badInput("no such file or folder", spec.path, "check the path");
  Files files;
  Index::looksLikeIndex(spec.path) ? addIndex(files, spec) : addTree(files, spec.path);
  if (!spec.images.empty()) addTree(files, spec.images);
  if (fs::is_regular_file(spec.path, code)) addAttribution(files, fs::absolute(spec.path).parent_path());
  const std::string name = lower(fs::path(spec.path).filename().string());
  if (Index::looksLikeIndex(spec.path))
    ROADTUNE_CHECK(addRecordings(files, spec.path));
  else if (endsWith(name, ".jsonl") || endsWith(name, ".ndjson"))
    ROADTUNE_CHECK(addPicturesOfLines(files, spec));
  else if (endsWith(name, ".json"))
    ROADTUNE_CHECK(addPicturesOfCoco(files, spec));
  return std::vector<fs::path>(files.begin(), files.end());
}

Result<std::vector<fs::path>> modelFiles(const fs::path& folder) {
  Files files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    const bool read = endsWith(name, ".json") || endsWith(name, ".safetensors") || endsWith(name, ".model") ||
                      endsWith(name, ".txt") || endsWith(name, ".jinja");
    if (read && !startsWith(name, ".") && entry.is_regular_file(code)) addFile(files, entry.path());
  }
  if (files.empty())
    return badInput("no such folder, or nothing of a model in it", folder.string(),
                    "name the folder that holds config.json");
  return std::vector<fs::path>(files.begin(), files.end());
}

}  // namespace roadtune::data
