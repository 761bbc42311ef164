// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/url.h"

#include <algorithm>
#include <cctype>

namespace roadtune {

bool isUrl(std::string_view text) {
  const auto end = text.find("://");
  return end != std::string_view::npos && end > 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                     [](unsigned char c) { return std::isalnum(c) || c == '+'; });
}

bool isHostPath(std::string_view text) {
  const auto colon = text.find(':');
  return !isUrl(text) && colon != std::string_view::npos && colon > 0 && text.find('/') == colon + 1;
}

std::string refusalOfUrl(std::string_view url) {
  const auto end = url.find("://");
  const std::string_view scheme = url.substr(0, end), rest = url.substr(end + 3);
  if (scheme != "s3" && scheme != "gs")
    return "is in no storage that is known: s3://bucket/prefix or gs://bucket/prefix";
  const std::string_view bucket = rest.substr(0, rest.find('/'));
  if (bucket.find('@') != std::string_view::npos || rest.find('?') != std::string_view::npos)
    return "must not carry credentials or options: name the bucket alone, give keys by AWS_ACCESS_KEY_ID and "
           "AWS_SECRET_ACCESS_KEY or ~/.aws/credentials, and the server by AWS_ENDPOINT_URL";
  return bucket.empty() ? "names no bucket: s3://bucket/prefix or gs://bucket/prefix" : "";
}

}  // namespace roadtune
