// SPDX-License-Identifier: GPL-3.0-or-later
// The words of storage libraries, sorted into what a user can do about them.
#include "core/base/text.h"
#include "core/data/storage/storage_impl.h"

#include <cstdlib>

namespace roadtune::data {

namespace {

constexpr std::size_t kLongestQuote = 240;

bool hasAny(const std::string& words, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (words.find(part) != std::string::npos) return true;
  return false;
}

// The first line, short, without what must not be seen.
std::string quotable(std::string words) {
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID"}) {
    const char* secret = std::getenv(name);
    if (!secret || std::string_view(secret).size() < 4) continue;
    for (std::size_t at = 0; (at = words.find(secret, at)) != std::string::npos;)
      words.replace(at, std::string_view(secret).size(), "***");
  }
  words = words.substr(0, words.find('\n'));
  if (startsWith(words, "IOError: ")) words = words.substr(9);
  return toValidUtf8(words.substr(0, kLongestQuote));
}

Location bucketOf(const Location& place) { return {.kind = place.kind, .bucket = place.bucket}; }

bool isS3(const Location& place) { return place.kind == Location::Kind::S3; }

}  // namespace

Error storageError(const std::string& words, const Location& place) {
  const char* keyHint = isS3(place) ? "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile AWS_PROFILE "
                                      "names, and that they are meant for this server"
                                    : "log in again: `gcloud auth application-default login`";
  if (place.isLocal()) return failed(quotable(words), place.text());
  if (hasAny(words, {"NO_SUCH_BUCKET", "NoSuchBucket", "bucket does not exist", "Bucket '", "bucket not found"}))
    return badInput("there is no such bucket", bucketOf(place).text(),
                    isS3(place) ? "check the name, and AWS_REGION and AWS_ENDPOINT_URL; buckets are made with the "
                                  "provider's own tools"
                                : "check the name; buckets are made with the provider's own tools");
  if (hasAny(words, {"INVALID_ACCESS_KEY_ID", "InvalidAccessKeyId", "SIGNATURE_DOES_NOT_MATCH", "SignatureDoesNotMatch",
                     "INVALID_CLIENT_TOKEN_ID", "InvalidClientTokenId", "UNRECOGNIZED_CLIENT", "ExpiredToken",
                     "EXPIRED_TOKEN", "InvalidToken", "UNAUTHENTICATED", "Unauthorized", "determine credentials",
                     "AuthFailure", "invalid_grant"}))
    return missing("the credentials are not accepted", place.text(), keyHint);
  if (hasAny(words, {"ACCESS_DENIED", "AccessDenied", "PERMISSION_DENIED", "status 403", "code 403", "Forbidden"}))
    return missing("access is denied", place.text(),
                   isS3(place)
                       ? "the key needs s3:ListBucket and s3:GetObject here, and s3:PutObject to write"
                       : "the account needs the role Storage Object Viewer here, and Storage Object User to write");
  if (hasAny(words, {"NETWORK_CONNECTION", "curlCode", "onnect to server", "resolve host", "UNAVAILABLE",
                     "Connection refused", "timed out", "REQUEST_TIMEOUT"})) {
    const std::string server = customServer(place.kind);
    return failed((server.empty() ? "the storage" : "the server " + server) + " cannot be reached", place.text(),
                  server.empty() ? "check the network"
                                 : std::string("is it running? its address comes from ") +
                                       (isS3(place) ? "AWS_ENDPOINT_URL" : "STORAGE_EMULATOR_HOST"));
  }
  if (hasAny(words, {"NO_SUCH_KEY", "NoSuchKey", "does not exist", "Not Found", "NOT_FOUND", "RESOURCE_NOT_FOUND"}))
    return badInput("there is no such object", place.text(), "check the address");
  if (hasAny(words, {"SLOW_DOWN", "SlowDown", "THROTTLING", "SERVICE_UNAVAILABLE", "status 503", "RESOURCE_EXHAUSTED"}))
    return failed("the storage asks to slow down", place.text(), "try again later, or with a smaller --jobs");
  return failed(quotable(words), place.text());
}

}  // namespace roadtune::data
