// SPDX-License-Identifier: GPL-3.0-or-later
// How each provider is reached, and who may ask.
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/data/storage/storage_impl.h"

#include <arrow/filesystem/gcsfs.h>
#include <arrow/filesystem/localfs.h>
#include <arrow/filesystem/s3fs.h>

#include <cstdlib>
#include <mutex>

namespace roadtune::data {

namespace {

constexpr int kTries = 4;
constexpr double kConnectSeconds = 5, kGcsRetrySeconds = 20;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool wantsAnonymous() { return variable("ROADTUNE_STORAGE_ANONYMOUS") == "1"; }

// A few tries for what may pass, so that a server that is down is told in seconds; long work is retried by its callers.
class FewTries : public arrow::fs::S3RetryStrategy {
 public:
  bool ShouldRetry(const AWSErrorDetail& error, int64_t attempted) override {
    return error.should_retry && attempted + 1 < kTries;
  }
  int64_t CalculateDelayBeforeNextRetry(const AWSErrorDetail&, int64_t attempted) override {
    return 200LL << std::min<int64_t>(attempted, 5);
  }
};

Status startS3() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (arrow::fs::IsS3Initialized()) return {};
  const auto started = arrow::fs::EnsureS3Initialized();
  return started.ok() ? Status() : Status(failed("the S3 library does not start: " + started.message()));
}

Error noCredentials(const Location& place) {
  return missing("there are no credentials for this storage", place.text(),
                 place.kind == Location::Kind::S3
                     ? "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE for a profile of "
                       "~/.aws/credentials; ROADTUNE_STORAGE_ANONYMOUS=1 for public data"
                     : "`gcloud auth application-default login`, or GOOGLE_APPLICATION_CREDENTIALS=KEYFILE; "
                       "ROADTUNE_STORAGE_ANONYMOUS=1 for public data");
}

Result<std::shared_ptr<arrow::fs::FileSystem>> openS3(const Location& place) {
  ROADTUNE_CHECK(startS3());
  const auto server = serverOf(place.kind);
  // Whoever runs a server of their own has no use for the credentials of an Amazon machine; looking for them takes
  // time.
  if (server) ::setenv("AWS_EC2_METADATA_DISABLED", "true", 0);
  arrow::fs::S3Options options;
  if (wantsAnonymous()) {
    options.ConfigureAnonymousCredentials();
  } else {
    options.ConfigureDefaultCredentials();
    if (options.GetAccessKey().empty()) return noCredentials(place);
  }
  options.retry_strategy = std::make_shared<FewTries>();
  options.connect_timeout = kConnectSeconds;
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
    if (options.region.empty()) options.region = variable(name);
  if (server) {
    options.scheme = server->scheme;
    options.endpoint_override = server->host;
    if (options.region.empty()) options.region = "us-east-1";
  } else if (options.region.empty()) {
    const auto region = arrow::fs::ResolveS3BucketRegion(place.bucket);
    if (!region.ok()) return storageError(region.status().ToString(), place);
    options.region = *region;
  }
  auto files = arrow::fs::S3FileSystem::Make(options);
  if (!files.ok()) return storageError(files.status().ToString(), place);
  return std::shared_ptr<arrow::fs::FileSystem>(*files);
}

Result<std::shared_ptr<arrow::fs::FileSystem>> openGcs(const Location& place) {
  const auto server = serverOf(place.kind);
  auto options = server || wantsAnonymous() ? arrow::fs::GcsOptions::Anonymous() : arrow::fs::GcsOptions::Defaults();
  options.retry_limit_seconds = kGcsRetrySeconds;
  if (server) {
    options.scheme = server->scheme;
    options.endpoint_override = server->host;
  }
  auto files = arrow::fs::GcsFileSystem::Make(options);
  if (!files.ok()) return storageError(files.status().ToString(), place);
  return std::shared_ptr<arrow::fs::FileSystem>(*files);
}

}  // namespace

std::optional<Server> serverOf(Location::Kind kind) {
  std::string address;
  if (kind == Location::Kind::Gcs) address = variable("STORAGE_EMULATOR_HOST");
  if (kind == Location::Kind::S3)
    for (const char* name : {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"})
      if (address.empty()) address = variable(name);
  while (endsWith(address, "/")) address.pop_back();
  if (address.empty()) return std::nullopt;
  if (!isUrl(address)) return Server{"http", address};
  const auto at = address.find("://");
  return Server{address.substr(0, at), address.substr(at + 3)};
}

std::string customServer(Location::Kind kind) {
  const auto server = serverOf(kind);
  return server ? server->host : std::string();
}

Result<std::shared_ptr<arrow::fs::FileSystem>> openFiles(const Location& place) {
  switch (place.kind) {
    case Location::Kind::S3: return openS3(place);
    case Location::Kind::Gcs: return openGcs(place);
    case Location::Kind::Local: break;
  }
  return std::shared_ptr<arrow::fs::FileSystem>(std::make_shared<arrow::fs::LocalFileSystem>());
}

StorageShutdown::~StorageShutdown() {
  if (arrow::fs::IsS3Initialized() && !arrow::fs::IsS3Finalized()) [[maybe_unused]]
    const auto ended = arrow::fs::FinalizeS3();
}

}  // namespace roadtune::data
