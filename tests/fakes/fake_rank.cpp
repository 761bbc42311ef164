// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that trains nothing: it writes real events, obeys real control lines, and fails on request. What it does is
// said in FAKE_RANK, words separated by spaces:
//   steps=N step_ms=N       how long it "trains"                             (40 steps of 20 ms)
//   only=RANK               the words after this one are for that rank alone
//   crash=STEP              abort() at that step            kill=STEP   SIGKILL to itself
//   exit=STEP:CODE          leave with a code, saying why   stall=STEP  stop making steps, deaf to everything but
//   SIGKILL deaf                    does not read its standard input, ignores SIGTERM babble=BYTES            prints
//   that much per step child                   starts a process in a session of its own and leaves it behind save_ms=N
//   how long a checkpoint takes     early=CODE  fails before its first event
//   once=STEP               SIGKILL to itself at that step, but only in the first life of the run
//   say=WORDS_WITH_LINES    printed before it fails, underscores as blanks      slow=MS  more time per step
//   save_every=N            a checkpoint every so many steps    start_ms=MS finish_ms=MS  time before and after
#include "core/base/clock.h"
#include "core/base/exit_code.h"
#include "core/base/files.h"
#include "core/protocol/checkpoint_marker.h"
#include "core/protocol/control.h"
#include "core/protocol/event_writer.h"
#include "core/protocol/run_layout.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

using namespace roadtune;
using nlohmann::json;

std::atomic<bool> wantStop{false}, wantStopNow{false}, wantSave{false};
std::mutex liveMutex;
std::vector<protocol::ControlCommand> liveCommands;  // pause, resume, set

int environment(const char* name, int fallback) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : fallback;
}

class FakeRank {
 public:
  FakeRank(std::string run, std::int64_t firstStep)
      : m_layout(run), m_rank(environment("RANK", 0)), m_world(environment("WORLD_SIZE", 1)), m_step(firstStep) {
    readWords();
  }

  int main() {
    std::printf("fake rank %d of %d, master %s:%s, threads %s\n", m_rank, m_world, std::getenv("MASTER_ADDR"),
                std::getenv("MASTER_PORT"), std::getenv("OMP_NUM_THREADS"));
    std::fflush(stdout);
    if (has("early")) {
      std::fprintf(stderr, "fake rank %d: the model folder is missing\n", m_rank);
      return number("early", 1);
    }
    auto events = protocol::EventWriter::open(m_layout.rankEvents(m_rank), m_rank);
    if (!events.ok()) return std::fprintf(stderr, "%s\n", events.error().text().c_str()), 1;
    m_events = std::move(events.value());
    if (has("child")) leaveChild();
    if (has("deaf")) std::signal(SIGTERM, SIG_IGN);
    if (!has("deaf")) std::thread(listen).detach();
    return train();
  }

 private:
  void readWords() {
    const char* text = std::getenv("FAKE_RANK");
    std::istringstream words(text ? text : "");
    bool mine = true;
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      const std::string key = word.substr(0, equals),
                        value = equals == std::string::npos ? "" : word.substr(equals + 1);
      if (key == "only")
        mine = std::atoi(value.c_str()) == m_rank;
      else if (mine)
        m_words[key] = value;
    }
  }
  bool has(const std::string& key) const { return m_words.count(key) > 0; }
  int number(const std::string& key, int fallback) const {
    return has(key) ? std::atoi(m_words.at(key).c_str()) : fallback;
  }
  bool due(const std::string& key) const { return has(key) && number(key, -1) == m_step; }

  static void listen() {
    std::string pending;
    char buffer[512];
    while (true) {
      const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      pending.append(buffer, static_cast<std::size_t>(count));
      for (std::size_t end = 0; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1)) {
        const auto command = protocol::parseControlLine(pending.substr(0, end));
        if (!command.ok()) continue;
        if (command.value().word == protocol::ControlWord::Save) wantSave = true;
        if (command.value().word == protocol::ControlWord::Stop) wantStop = true;
        if (command.value().word == protocol::ControlWord::StopNow) wantStopNow = true;
        const std::lock_guard lock(liveMutex);
        liveCommands.push_back(command.value());
      }
    }
    wantStop = true;  // the agent is gone
  }

  static void leaveChild() {
    if (::fork() != 0) return;
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    ::execlp("sleep", "sleep", "1000", nullptr);
    ::_exit(1);
  }

  void save() {
    m_events->write("phase", m_step, {{"name", "saving"}});
    std::this_thread::sleep_for(std::chrono::milliseconds(number("save_ms", 5)));
    const auto folder = m_layout.checkpoint(m_step);
    if (m_rank == 0 && makeFolders(folder).ok() &&
        writeFileAtomically(folder / "COMPLETE", protocol::markerText({})).ok())
      m_events->write("checkpoint", m_step, {{"path", folder.filename().string()}, {"seconds", 0.01}, {"bytes", 1}});
  }

  bool firstTime() const {
    const auto marker = m_layout.root() / (".failed-" + std::to_string(m_rank));
    std::error_code code;
    if (fs::exists(marker, code)) return false;
    return writeFileAtomically(marker, "").ok();
  }

  void lastWords() {
    if (!has("say")) return;
    std::string words = m_words.at("say");
    std::replace(words.begin(), words.end(), '_', ' ');
    std::fprintf(stderr, "%s\n", words.c_str());
  }

  void fail() {
    if (due("once") || due("kill")) m_events->flush();  // what came before is not lost with us
    if (due("once") && firstTime()) {
      lastWords();
      ::kill(::getpid(), SIGKILL);
    }
    if (due("crash") || due("kill") || (has("exit") && number("exit", -1) == m_step)) lastWords();
    if (due("crash")) {
      std::fprintf(stderr, "fake rank %d: something terrible happened at step %lld\n", m_rank,
                   static_cast<long long>(m_step));
      std::abort();
    }
    if (due("kill")) ::kill(::getpid(), SIGKILL);
    if (due("stall")) {
      std::signal(SIGTERM, SIG_IGN);
      while (true) ::pause();
    }
    if (has("exit") && number("exit", -1) == m_step) {
      std::fprintf(stderr, "fake rank %d: leaving on purpose\n", m_rank);
      const std::string& words = m_words.at("exit");
      m_events->write("bye", m_step,
                      {{"reason", "failed"}, {"exit_code", std::atoi(words.c_str() + words.find(':') + 1)}});
      m_events.reset();
      std::_Exit(std::atoi(words.c_str() + words.find(':') + 1));
    }
  }

  void linger(const char* phase, int milliseconds) {
    m_events->write("phase", m_step, {{"name", phase}});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  }

  void hear(const protocol::ControlCommand& command) {
    if (command.id.empty() || m_rank != 0) return;
    m_events->write("control", m_step, {{"word", std::string(name(command.word))}, {"ids", {command.id}}});
  }

  void edit(const protocol::LiveEdit& edit) {
    json body = json::object();
    if (edit.learningRate) body["learning_rate"] = *edit.learningRate;
    if (edit.maxGradNorm) body["max_grad_norm"] = *edit.maxGradNorm;
    if (edit.saveSteps) body["save_steps"] = *edit.saveSteps;
    m_events->write("edit", m_step, body);
  }

  void pause(bool paused) {
    if (paused != m_paused) m_events->write("phase", m_step, {{"name", paused ? "paused" : "training"}});
    m_paused = paused;
  }

  void live(const protocol::ControlCommand& command) {
    using protocol::ControlWord;
    if (command.word == ControlWord::Set) hear(command), edit(command.edit);
    if (command.word == ControlWord::Evaluate) {
      hear(command);
      m_events->write("eval", m_step, {{"loss", 2.5}, {"samples", 4}, {"seconds", 0.01}});
    }
    if (command.word != ControlWord::Pause && command.word != ControlWord::Resume) return;
    pause(command.word == ControlWord::Pause);
    hear(command);
  }

  // As the trainer: at a step boundary, and for as long as it is asked to.
  void obey() {
    do {
      std::vector<protocol::ControlCommand> commands;
      {
        const std::lock_guard lock(liveMutex);
        commands.swap(liveCommands);
      }
      for (const auto& command : commands) live(command);
      if (m_paused) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    } while (m_paused && !wantStop && !wantStopNow);
    pause(false);
  }

  void takeStep(int total, int milliseconds) {
    milliseconds += number("slow", 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ++m_step;
    for (int left = number("babble", 0); left > 0; left -= 80) std::printf("%079d\n", static_cast<int>(m_step));
    const double seconds = milliseconds / 1000.0;
    m_events->write("step", m_step,
                    {{"loss", 4.0 / (1.0 + 0.1 * static_cast<double>(m_step))},
                     {"lr", 1e-3},
                     {"grad_norm", 1.0},
                     {"samples", 8},
                     {"step_s", seconds},
                     {"anatomy", {{"comm", 0.0}, {"forward", seconds}}},
                     {"samples_per_s", 8 / seconds},
                     {"total_steps", total},
                     {"epoch", static_cast<double>(m_step) / total}});
  }

  int train() {
    const int total = number("steps", 40), milliseconds = number("step_ms", 20);
    const double began = monotonicSeconds();
    m_events->write("hello", m_step,
                    {{"version", "fake"},
                     {"host", "here"},
                     {"pid", ::getpid()},
                     {"device", "cpu"},
                     {"world_size", m_world},
                     {"local_rank", environment("LOCAL_RANK", 0)},
                     {"total_steps", total},
                     {"total_params", 1000},
                     {"trainable_params", 10}});
    if (has("start_ms")) linger("loading", number("start_ms", 0));
    m_events->write("phase", m_step, {{"name", "training"}});
    while (m_step < total && !wantStop && !wantStopNow) {
      fail();
      takeStep(total, milliseconds);
      if (wantSave.exchange(false) || (has("save_every") && m_step % number("save_every", 1) == 0)) save();
      obey();
    }
    if (!wantStopNow && m_step > 0) save();
    if (has("finish_ms")) linger("finishing", number("finish_ms", 0));
    const bool stopped = (wantStop || wantStopNow) && m_step < total;
    const double runtime = monotonicSeconds() - began;
    m_events->write("bye", m_step,
                    {{"reason", stopped ? "stopped" : "finished"},
                     {"exit_code", 0},
                     {"message", ""},
                     {"summary",
                      {{"train_runtime", runtime},
                       {"train_samples_per_second", 8 * m_step / runtime},
                       {"train_steps_per_second", m_step / runtime},
                       {"train_loss", 0.5},
                       {"epoch", 1.0}}}});
    m_events.reset();
    std::_Exit(kExitDone);  // as the trainer: stopping on request is no failure
  }

  protocol::RunLayout m_layout;
  int m_rank, m_world;
  std::int64_t m_step;
  bool m_paused = false;
  std::map<std::string, std::string> m_words;
  std::unique_ptr<protocol::EventWriter> m_events;
};

}  // namespace

int main(int argc, char** argv) {
  std::string run;
  std::int64_t firstStep = 0;
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string(argv[i]) == "--run") run = argv[i + 1];
  const std::string key = "resume_from_checkpoint: ";
  const auto config = readFile(protocol::RunLayout(run).config()).valueOr("");
  if (config.find(key + "latest") != std::string::npos) {
    const auto last = protocol::RunLayout(run).lastCompleteCheckpoint();
    firstStep = last ? last->step : 0;
  } else if (const auto at = config.find(key); at != std::string::npos) {
    const std::string checkpoint = config.substr(at + key.size(), config.find('\n', at) - at - key.size());
    if (const auto dash = checkpoint.rfind("checkpoint-"); dash != std::string::npos)
      firstStep = std::atoll(checkpoint.c_str() + dash + 11);
  }
  std::signal(SIGTERM, [](int) { wantStop = true; });
  return FakeRank(run, firstStep).main();
}
