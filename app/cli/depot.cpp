// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/depot.h"

#include "app/cli/terminal_prompts.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/data/storage/storage.h"
#include "remote/launch/host_access.h"
#include "remote/ssh/download.h"
#include "remote/ssh/shell_quote.h"
#include "remote/ssh/upload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace roadtune::cli {

namespace {

class StorageDepot : public Depot {
 public:
  StorageDepot(std::shared_ptr<data::Storage> storage, data::Location place)
      : m_storage(std::move(storage)), m_place(std::move(place)) {}

  Result<std::vector<std::string>> list() override {
    ROADTUNE_TRY(const auto objects, m_storage->list(m_place));
    std::vector<std::string> names;
    for (const auto& object : objects)
      if (staysBelow(object.name)) names.push_back(object.name);
    return names;
  }
  Result<std::string> read(const std::string& name) override {
    ROADTUNE_TRY(const auto there, m_storage->find(m_place.child(name)));
    if (!there) return std::string();
    return m_storage->read(m_place.child(name));
  }
  Status get(const std::string& name, const fs::path& file, ProgressSink& progress) override {
    ROADTUNE_TRY(const auto there, m_storage->find(m_place.child(name)));
    std::uint64_t done = 0;
    const auto moved = [&](std::uint64_t bytes) {
      done += bytes;
      return progress.report({"fetching", done, there ? there->bytes : 0, "bytes", name});
    };
    const auto got = m_storage->download(m_place.child(name), file, file.parent_path(), moved);
    return got.ok() ? Status() : Status(got.error());
  }
  Status put(const fs::path& file, const std::string& name, ProgressSink& progress) override {
    std::error_code code;
    const std::uint64_t total = fs::file_size(file, code);
    std::uint64_t done = 0;
    return m_storage->upload(file, m_place.child(name), [&](std::uint64_t bytes) {
      done += bytes;
      return progress.report({"uploading", done, total, "bytes", name});
    });
  }
  Status remove(const std::string& name) override { return m_storage->remove(m_place.child(name)); }

 private:
  std::shared_ptr<data::Storage> m_storage;
  data::Location m_place;
};

class SshDepot : public Depot {
 public:
  SshDepot(remote::Session session, std::string folder) : m_session(std::move(session)), m_folder(std::move(folder)) {}

  Result<std::vector<std::string>> list() override {
    ROADTUNE_TRY(const std::string lines,
                 m_session.output(fmt::format("cd {} 2>/dev/null && find . -type f -printf '%P\\n'; true",
                                              remote::shellQuote(m_folder))));
    std::vector<std::string> names;
    for (const std::string& line : split(lines, '\n'))
      if (staysBelow(line)) names.push_back(line);
    std::sort(names.begin(), names.end());
    return names;
  }
  Result<std::string> read(const std::string& name) override {
    return m_session.output(fmt::format("cat {} 2>/dev/null; true", quoted(name)));
  }
  Status get(const std::string& name, const fs::path& file, ProgressSink& progress) override {
    ROADTUNE_TRY(
        const std::string words,
        m_session.output(fmt::format("stat -c %s {0} && sha256sum < {0}", quoted(name)), {.timeoutSeconds = 600}));
    const auto lines = split(words, '\n');
    if (lines.size() < 2) return failed("gives no understandable answer", m_session.host().label());
    ROADTUNE_CHECK(makeFolders(file.parent_path()));
    return remote::downloadFile(
        m_session, {m_folder + "/" + name, std::strtoull(lines[0].c_str(), nullptr, 10), lines[1].substr(0, 64)}, file,
        &progress);
  }
  Status put(const fs::path& file, const std::string& name, ProgressSink& progress) override {
    return remote::uploadFile(m_session, file, m_folder + "/" + name, "644", &progress);
  }
  Status remove(const std::string& name) override {
    const auto removed = m_session.output("rm -f " + quoted(name));
    return removed.ok() ? Status() : Status(removed.error());
  }

 private:
  std::string quoted(const std::string& name) const { return remote::shellQuote(m_folder + "/" + name); }
  remote::Session m_session;
  std::string m_folder;
};

}  // namespace

Result<std::unique_ptr<Depot>> Depot::open(const std::string& place) {
  if (isHostPath(place)) {
    const auto colon = place.find(':');
    ROADTUNE_TRY(const remote::HostAccess access, remote::HostAccess::load(terminalPrompts()));
    ROADTUNE_TRY(remote::Session session, access.connect(place.substr(0, colon)));
    return std::unique_ptr<Depot>(std::make_unique<SshDepot>(std::move(session), place.substr(colon + 1)));
  }
  ROADTUNE_TRY(data::Location location, data::parseLocation(place));
  ROADTUNE_TRY(auto storage, data::Storage::open(location));
  ROADTUNE_CHECK(storage->checkBucket(location));
  return std::unique_ptr<Depot>(std::make_unique<StorageDepot>(std::move(storage), std::move(location)));
}

std::string belowPlace(const std::string& place, const std::string& name) {
  return place.ends_with('/') ? place + name : place + "/" + name;
}

}  // namespace roadtune::cli
