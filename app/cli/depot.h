// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace roadtune::cli {

// A folder anywhere that whole files are put into and taken from: s3://, gs://, a path, or HOST:/path by ssh. Names are
// relative ("checkpoint-5/COMPLETE"). A file appears when it is whole. Belongs to one thread.
class Depot {
 public:
  static Result<std::unique_ptr<Depot>> open(const std::string& place);
  virtual ~Depot() = default;

  virtual Result<std::vector<std::string>> list() = 0;            // every file, by name
  virtual Result<std::string> read(const std::string& name) = 0;  // empty when there is none
  virtual Status get(const std::string& name, const std::filesystem::path& file, ProgressSink& progress) = 0;
  virtual Status put(const std::filesystem::path& file, const std::string& name, ProgressSink& progress) = 0;
  virtual Status remove(const std::string& name) = 0;  // none is no error
};

// "s3://bucket/runs" and "night" -> "s3://bucket/runs/night".
std::string belowPlace(const std::string& place, const std::string& name);

}  // namespace roadtune::cli
