// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/storage/location.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/base/url.h"

namespace roadtune::data {

namespace {

std::string_view withoutSlashes(std::string_view text) {
  while (startsWith(text, "/")) text.remove_prefix(1);
  while (endsWith(text, "/")) text.remove_suffix(1);
  return text;
}

Result<Location> parsePath(const std::string& text) {
  if (text.empty()) return badInput("is an empty place", "storage", "s3://bucket/prefix, gs://bucket/prefix or a path");
  std::error_code code;
  std::string path = fs::absolute(text, code).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return Location{.key = std::move(path)};
}

}  // namespace

std::string Location::text() const {
  if (isLocal()) return key;
  const std::string top = (kind == Kind::S3 ? "s3://" : "gs://") + bucket;
  return key.empty() ? top : top + "/" + key;
}

std::string Location::name() const {
  if (key.empty()) return bucket;
  return key.substr(key.rfind('/') + 1);  // npos + 1 is 0
}

Location Location::child(const std::string& below) const {
  Location place = *this;
  if (below.empty()) return place;
  if (!place.key.empty() && place.key.back() != '/') place.key += '/';
  place.key += below;
  return place;
}

Location Location::parent() const {
  Location place = *this;
  const auto slash = key.rfind('/');
  place.key = slash == std::string::npos ? "" : key.substr(0, slash);
  if (isLocal() && place.key.empty()) place.key = "/";
  return place;
}

Result<Location> parseLocation(const std::string& text) {
  if (!isUrl(text)) return parsePath(text);
  if (std::string refusal = refusalOfUrl(text); !refusal.empty())
    return badInput(std::move(refusal), text.substr(0, text.find("://") + 3) + "...");
  const std::string rest = text.substr(text.find("://") + 3);
  const auto slash = rest.find('/');
  Location place{.kind = startsWith(text, "s3:") ? Location::Kind::S3 : Location::Kind::Gcs,
                 .bucket = rest.substr(0, slash)};
  if (slash != std::string::npos) place.key = withoutSlashes(std::string_view(rest).substr(slash));
  if (!place.key.empty() && !staysBelow(place.key))
    return badInput("has empty, '.' or '..' parts", text, "s3://bucket/prefix");
  return place;
}

}  // namespace roadtune::data
