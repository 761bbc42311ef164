// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/storage/upload_folder.h"

#include "core/base/files.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace roadtune::data {

namespace {

struct Upload {
  std::string name;
  std::uint64_t bytes = 0;
};

class Uploader {
 public:
  Uploader(const Storage& storage, fs::path folder, Location target, ProgressSink& progress)
      : m_storage(storage), m_folder(std::move(folder)), m_target(std::move(target)), m_progress(progress) {}

  Status find() {
    std::error_code code;
    for (fs::recursive_directory_iterator at(m_folder, code), end; !code && at != end; at.increment(code)) {
      if (!at->is_regular_file()) continue;
      m_all.push_back({at->path().lexically_relative(m_folder).generic_string(), at->file_size()});
      m_total += m_all.back().bytes;
    }
    std::sort(m_all.begin(), m_all.end(), [](const Upload& a, const Upload& b) { return a.name < b.name; });
    return code ? systemError(code.value(), "cannot list the folder", m_folder.string()) : Status();
  }

  Status run(const std::set<std::string>& last, bool lastOnes, int jobs) {
    m_now.clear();
    m_next = 0;
    for (const Upload& one : m_all)
      if (last.contains(one.name) == lastOnes) m_now.push_back(one);
    std::vector<std::thread> threads;
    for (int i = 1; i < std::min<int>(jobs, static_cast<int>(m_now.size())); ++i)
      threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    return m_error ? Status(*m_error) : Status();
  }

 private:
  void work() {
    for (std::size_t i = m_next++; i < m_now.size() && !m_stop; i = m_next++) {
      const Status sent = m_storage.upload(m_folder / m_now[i].name, m_target.child(m_now[i].name),
                                           [&](std::uint64_t bytes) { return advance(bytes, m_now[i].name); });
      if (sent.ok()) continue;
      const std::lock_guard lock(m_mutex);
      if (!m_error) m_error = sent.error();
      m_stop = true;
    }
  }

  bool advance(std::uint64_t bytes, const std::string& name) {
    const std::uint64_t done = m_done += bytes;
    if (!m_progress.report({"uploading", std::min(done, m_total), m_total, "bytes", name})) m_stop = true;
    return !m_stop;
  }

  const Storage& m_storage;
  fs::path m_folder;
  Location m_target;
  ProgressSink& m_progress;
  std::vector<Upload> m_all, m_now;
  std::mutex m_mutex;
  std::optional<Error> m_error;
  std::atomic<std::size_t> m_next{0};
  std::atomic<std::uint64_t> m_done{0};
  std::atomic<bool> m_stop{false};
  std::uint64_t m_total = 0;
};

}  // namespace

Status uploadFolder(const Storage& storage, const fs::path& folder, const Location& target,
                    const std::set<std::string>& last, int jobs, ProgressSink& progress) {
  Uploader uploader(storage, folder, target, progress);
  ROADTUNE_CHECK(uploader.find());
  ROADTUNE_CHECK(uploader.run(last, false, jobs));
  return uploader.run(last, true, jobs);
}

}  // namespace roadtune::data
