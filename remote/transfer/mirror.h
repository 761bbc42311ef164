// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/base/unique_fd.h"
#include "remote/agent/file_stream.h"
#include "remote/ssh/session.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace roadtune::remote {

// Puts the frames of a stream into the files of a local run folder. A frame that does not continue its file exactly is
// refused, so that a copy is a prefix of the original or an error, never anything else.
class MirrorWriter {
 public:
  explicit MirrorWriter(std::filesystem::path run) : m_run(std::move(run)) {}
  FileOffsets have() const;             // what lies here now
  Status feed(std::string_view bytes);  // any cut of the stream
  std::uint64_t received() const { return m_received; }
  const std::string& lost() const { return m_lost; }  // what came of an agent that could not say so itself

 private:
  Status place(const FileFrame& frame, std::string_view bytes);
  std::filesystem::path m_run;
  std::string m_pending;
  std::uint64_t m_received = 0;
  std::string m_lost;
};

// Where the run lies on the other machine and how to stream it from there.
struct MirrorSource {
  HostSpec host;
  std::string agent;  // path of roadtune-agent there
  std::string run;    // folder of the run there
  int node = 0;
};

// Keeps a local run folder equal to the one on a node, on a thread of its own: connects, streams, and after a broken
// link connects again with growing pauses (1 s to 30 s), continuing at the byte where the local copy ends. One process
// mirrors a node at a time (a lock beside the files, held while there is a connection); another one waits for its turn
// and reads the same files.
class Mirror {
 public:
  enum class State { Connecting, Following, Waiting, Stopped };

  Mirror(MirrorSource source, std::filesystem::path localRun, Prompts prompts, SshConfig config);
  ~Mirror();  // stops; nothing on the node is touched

  State state() const { return m_state; }
  bool reached() const { return m_reached; }  // until an attempt fails, and from the next one on that does not
  std::string lastError() const;
  double heard() const { return m_heard; }  // wall time at which that machine was heard of last; 0: not yet
  std::string lost() const;                 // what came of an agent that could not write its goodbye

 private:
  void loop();
  Result<Session> connect(UniqueFd& turn) const;
  Status follow();
  Status leaveClockNote(Session& session) const;
  void pause(double seconds) const;
  MirrorSource m_source;
  std::filesystem::path m_run;
  Prompts m_prompts;
  SshConfig m_config;
  std::atomic<bool> m_stop{false};
  std::atomic<State> m_state{State::Connecting};
  std::atomic<bool> m_reached{true};
  mutable std::mutex m_mutex;
  std::atomic<double> m_heard{0};
  std::string m_error, m_lost;
  std::thread m_thread;
};

}  // namespace roadtune::remote
