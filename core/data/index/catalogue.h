// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/data/index/problem.h"
#include "core/data/index/segment_info.h"

#include <filesystem>
#include <string>
#include <vector>

namespace roadtune::data {

// What an index folder holds, as catalogue.json says: which import unit made which segments from which files.
struct Catalogue {
  struct Unit {
    std::string key;  // "format:name"
    std::vector<SourceFile> sources;
    std::vector<std::string> segments;  // stems of the files in segments/ and blobs/
    std::vector<Problem> problems;
    std::string title = {};                  // ImportUnit::title as given
    std::string split = {};                  // what the user said where the path says nothing
    std::vector<std::string> pictures = {};  // folders of pictures the user gave
  };
  std::vector<Unit> units;
  std::vector<Problem> problems;  // of the last import's sources as such: not there, nothing known in them
};

// Names inside an index folder; FORMAT.md describes them.
struct IndexLayout {
  std::filesystem::path folder;
  std::filesystem::path catalogue() const { return folder / "catalogue.json"; }
  std::filesystem::path problems() const { return folder / "problems.jsonl"; }
  std::filesystem::path userData() const { return folder / "user.sqlite"; }
  std::filesystem::path lock() const { return folder / ".lock"; }
  std::filesystem::path segmentFolder() const { return folder / "segments"; }
  std::filesystem::path blobFolder() const { return folder / "blobs"; }
  std::filesystem::path thumbnailFolder() const { return folder / "thumbs"; }
  std::filesystem::path segment(const std::string& stem) const { return segmentFolder() / (stem + ".seg"); }
  std::filesystem::path blob(const std::string& stem) const { return blobFolder() / (stem + ".blob"); }
};

Result<Catalogue> readCatalogue(const IndexLayout& layout);
Status writeCatalogue(const IndexLayout& layout, const Catalogue& catalogue);  // and problems.jsonl

}  // namespace roadtune::data
