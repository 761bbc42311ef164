// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>

namespace roadtune::data {

// A place in object storage or on this machine: s3://bucket/key, gs://bucket/key, or a path.
struct Location {
  enum class Kind { Local, S3, Gcs };
  Kind kind = Kind::Local;
  std::string bucket = {};  // empty for paths
  std::string key = {};     // without slashes at its ends; of a path the absolute path

  bool isLocal() const { return kind == Kind::Local; }
  std::string text() const;                        // as a user would type it
  std::string name() const;                        // the last part
  Location child(const std::string& below) const;  // "a/b.tar" below this place
  Location parent() const;                         // itself at the top of a bucket
  bool operator==(const Location&) const = default;
};

// Refuses other schemes, and URLs that carry credentials or options: those would end up in files and process lists.
// What is refused for a secret is not repeated in the message.
Result<Location> parseLocation(const std::string& text);

}  // namespace roadtune::data
