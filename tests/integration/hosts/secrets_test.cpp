// SPDX-License-Identifier: GPL-3.0-or-later
// What opens a machine is asked for once and found nowhere afterwards: no file, no argument, no line that was printed.
#include "core/base/clock.h"
#include "core/base/files.h"
#include "remote/queue/queue_questions.h"
#include "remote/queue/queue_worker.h"
#include "tests/integration/hosts/host_runs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <csignal>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace roadtune::remote {
namespace {

using testing::Door;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ProgramOptions;
using testing::runProgram;
using testing::TestNetwork;

// Of this process: tests that run beside it make keys with passphrases of their own.
std::string canary(const char* kind) { return std::string("canary-") + kind + "-" + std::to_string(::getpid()) + "z"; }
const std::string kPassphrase = canary("phrase"), kReply = canary("reply"), kPassword = canary("word"),
                  kToken = canary("token");

// Looks at the arguments of every process of this machine for as long as it lives.
class ArgumentWatch {
 public:
  ArgumentWatch() : m_thread([this] { look(); }) {}
  ~ArgumentWatch() { end(); }
  std::vector<std::string> found() {
    end();
    return m_found;
  }
  int looks() const { return m_looks; }

 private:
  void end() {
    m_done = true;
    if (m_thread.joinable()) m_thread.join();
  }
  void look() {
    for (; !m_done; ++m_looks) {
      std::error_code code;
      for (const auto& entry : std::filesystem::directory_iterator("/proc", code)) {
        const std::string words = readFile(entry.path() / "cmdline").valueOr("");
        for (const auto& secret : {kPassphrase, kReply, kPassword, kToken})
          if (words.find(secret) != std::string::npos) m_found.push_back(words);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  std::atomic<bool> m_done{false};
  std::atomic<int> m_looks{0};
  std::vector<std::string> m_found;
  std::thread m_thread;
};

struct Dialogue {
  std::string shown;  // all that appeared at the terminal
  int exitCode = -1;
};

const std::string kCtrlC = "\x03";

// Runs a program at a terminal of its own and answers what it asks, each question as often as it comes.
Dialogue converse(std::vector<std::string> command, const std::map<std::string, std::string>& environment,
                  const std::vector<std::pair<std::string, std::string>>& answers) {
  int terminal = -1;
  command[0] = testing::programPath(command[0]);
  const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (pid == 0) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> words;
    for (auto& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  Dialogue dialogue;
  std::size_t answered = 0;
  const double deadline = monotonicSeconds() + 150;
  while (monotonicSeconds() < deadline) {
    pollfd watched{terminal, POLLIN, 0};
    if (::poll(&watched, 1, 200) == 0) continue;
    char buffer[4096];
    const ssize_t count = ::read(terminal, buffer, sizeof buffer);
    if (count <= 0) break;  // the program has ended
    dialogue.shown.append(buffer, static_cast<std::size_t>(count));
    for (const auto& [question, answer] : answers) {
      const auto at = dialogue.shown.find(question, answered);
      if (at == std::string::npos) continue;
      answered = at + question.size();
      const std::string line = answer == kCtrlC ? answer : answer + "\n";
      EXPECT_EQ(::write(terminal, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    }
  }
  if (monotonicSeconds() >= deadline) ::kill(pid, SIGKILL);
  int status = 0;
  ::waitpid(pid, &status, 0);
  ::close(terminal);
  dialogue.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return dialogue;
}

int countOf(const std::string& text, const std::string& word) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++count;
  return count;
}

class Secrets : public testing::HostRuns {
 protected:
  std::map<std::string, std::string> environmentFor(const TestNetwork& network) const {
    const std::string home = folder() / "home";
    std::filesystem::create_directories(home);
    return {{"ROADTUNE_SSH_CONFIG", network.sshConfig()},
            {"HF_TOKEN", kToken},
            {"HOME", home},
            {"XDG_RUNTIME_DIR", home},
            {"XDG_CACHE_HOME", home},
            {"XDG_CONFIG_HOME", home},
            {"XDG_STATE_HOME", home},
            {"XDG_DATA_HOME", home}};
  }
  void expectNowhere(const TestNetwork& network) const {
    for (const auto& place : {folder().path(), network.folder()})
      EXPECT_EQ(runProgram({"grep", "-r", "-l", "-a", "canary-", place.string()}).out, "")
          << "a secret was written down";
  }
};

TEST_F(Secrets, PassphraseReplyAndPasswordAreAskedForOnceAndFoundNowhere) {
  TestNetwork network(
      3, {{Door::Kind::LockedKey, kPassphrase}, {Door::Kind::Interactive, kReply}, {Door::Kind::Password, kPassword}});
  const std::string run = folder() / "run";
  ArgumentWatch arguments;
  const auto words = prefixed(trainWords(run, 3, {"--hosts", network.hosts(), "--nproc-per-node", "1"}));
  const auto done = converse(words, environmentFor(network),
                             {{"_user_key: ", kPassphrase},
                              {network.address(1) + ": Password: ", kReply},
                              {"Password of root@" + network.address(2) + ": ", kPassword}});
  EXPECT_EQ(done.exitCode, 0) << done.shown;
  EXPECT_THAT(done.shown, HasSubstr("finished after 3 of 3 steps"));
  EXPECT_THAT(done.shown, Not(HasSubstr("canary-")));
  EXPECT_EQ(countOf(done.shown, "Passphrase of "), 1) << done.shown;
  EXPECT_EQ(countOf(done.shown, ": Password: "), 1) << done.shown;
  EXPECT_EQ(countOf(done.shown, "Password of "), 1) << done.shown;
  EXPECT_THAT(arguments.found(), IsEmpty());
  EXPECT_GT(arguments.looks(), 50);
  expectNowhere(network);
}

TEST_F(Secrets, AWrongAnswerIsForgottenAskedForAgainAndNotRepeatedInTheError) {
  TestNetwork network(1, {{Door::Kind::Password, kPassword}});
  const auto words = prefixed({"fleet", "check", "--hosts", "host1", "--no-links"});
  const auto refused = converse(words, environmentFor(network), {{"Password of ", "canary-wrong"}});
  EXPECT_NE(refused.exitCode, 0);
  EXPECT_THAT(refused.shown, HasSubstr("wrong password"));
  EXPECT_EQ(countOf(refused.shown, "That was not accepted. Password of "), 2) << "three times, as ssh asks";
  EXPECT_THAT(refused.shown, Not(HasSubstr("canary-")));
  expectNowhere(network);
}

TEST_F(Secrets, CtrlCAtAQuestionLeavesTheTerminalAsItWas) {
  const TestNetwork network(1, {{Door::Kind::LockedKey, kPassphrase}});
  const std::string program = testing::programPath("roadtune");
  // The shell outlives the program at its terminal and tells how it is.
  const auto left = converse(
      {"/bin/bash", "-c", "trap : INT; \"$0\" fleet check --hosts host1 --no-links; echo; stty -a; echo over", program},
      environmentFor(network), {{"_user_key: ", kCtrlC}});
  EXPECT_THAT(left.shown, HasSubstr(" echo "));
  EXPECT_THAT(left.shown, Not(HasSubstr("-echo "))) << left.shown;
  EXPECT_THAT(left.shown, HasSubstr("over"));
}

// Nobody sits at the worker of a queue: the job says what it needs, others go on, and the answer comes over a socket.
class QueuedSecrets : public Secrets {
 protected:
  std::string queue(std::vector<std::string> words) const {
    words.insert(words.begin(), {"roadtune", "queue"});
    const auto result = runProgram(words, {.environment = environmentFor(network), .timeoutSeconds = 60});
    EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
    return result.out;
  }
  std::vector<std::string> addWords(const std::string& name, const std::vector<std::string>& more) const {
    auto words = trainWords(folder() / name, 3, more);
    words.erase(words.begin() + 2, words.begin() + 4);  // --progress: nobody looks on
    words.front() = "add";
    return words;
  }
  nlohmann::json jobs() const { return nlohmann::json::parse(queue({"ls", "--json"}), nullptr, false)["jobs"]; }
  bool reaches(std::size_t job, const std::string& state) const {
    for (const double begin = monotonicSeconds(); monotonicSeconds() - begin < 90; ::usleep(200'000))
      if (jobs()[job]["state"] == state) return true;
    return false;
  }
  Dialogue answer() const {
    return converse({"roadtune", "queue", "answer"}, environmentFor(network), {{"_user_key: ", kPassphrase}});
  }
  JobQueue data() const { return JobQueue{folder() / "home/roadtune/queue"}; }
  void rest(pid_t worker) const {
    ::kill(worker, SIGTERM);
    for (const double begin = monotonicSeconds(); QueueWorker::holder(data()) && monotonicSeconds() - begin < 20;)
      ::usleep(100'000);
  }
  TestNetwork network{1, {{Door::Kind::LockedKey, kPassphrase}}};
  ArgumentWatch arguments;
};

TEST_F(QueuedSecrets, ARunWaitsForItsPassphraseAndIsToldItAtATerminal) {
  queue(addWords("far", {"--hosts", "host1", "--nproc-per-node", "1"}));
  queue(addWords("near", {"--nproc-per-node", "1"}));
  const pid_t worker = std::atoi(queue({"run", "--detach"}).c_str());
  ASSERT_TRUE(reaches(0, "asking")) << jobs().dump(1);
  EXPECT_THAT(jobs()[0]["message"].get<std::string>(), HasSubstr("asks for the passphrase of "));
  EXPECT_THAT(queue({"ls"}), HasSubstr("asking"));
  ASSERT_TRUE(reaches(1, "finished")) << "another job is not held up: " << jobs().dump(1);
  EXPECT_EQ(jobs()[0]["state"], "asking");

  const auto first = openQuestions(data());
  ASSERT_TRUE(first.ok() && first.value().size() == 1) << "the key's, not the fall-back's";
  ASSERT_TRUE(answerQuestion(data(), first.value()[0].id, "canary-wrong").ok());
  const auto askedAgain = [&] {
    const auto now = openQuestions(data()).valueOr({});
    return now.size() == 1 && now[0].again;
  };
  for (const double begin = monotonicSeconds(); !askedAgain() && monotonicSeconds() - begin < 30;) ::usleep(100'000);
  ASSERT_TRUE(askedAgain());
  const auto answered = answer();
  EXPECT_EQ(answered.exitCode, 0) << answered.shown;
  EXPECT_THAT(answered.shown, HasSubstr("the answer before was wrong"));
  EXPECT_THAT(answered.shown, HasSubstr("job 1: running"));
  EXPECT_THAT(answered.shown, Not(HasSubstr("canary-")));
  ASSERT_TRUE(reaches(0, "finished")) << jobs().dump(1);
  EXPECT_THAT(answer().shown, HasSubstr("no job asks for anything"));
  rest(worker);
  const auto nobody =
      runProgram({"roadtune", "queue", "answer"}, {.environment = environmentFor(network), .timeoutSeconds = 60});
  EXPECT_EQ(nobody.exitCode, 3) << nobody.err;
  EXPECT_THAT(arguments.found(), IsEmpty());
  expectNowhere(network);
}

TEST_F(QueuedSecrets, ARunWhoseInputsAreCopiedFirstAsksOnceForBoth) {
  network.mountThere(0, std::filesystem::path(config()).parent_path(), "size=400m");
  auto words = addWords("far", {"--hosts", "host1", "--nproc-per-node", "1", "--sync", "--yes"});
  words.insert(words.begin(), {"roadtune", "queue"});
  const auto added = converse(words, environmentFor(network), {{"_user_key: ", kPassphrase}});
  ASSERT_EQ(added.exitCode, 0) << added.shown;
  EXPECT_THAT(added.shown, HasSubstr(" MB; ")) << "what is missing there";
  const pid_t worker = std::atoi(queue({"run", "--detach"}).c_str());
  ASSERT_TRUE(reaches(0, "asking")) << jobs().dump(1);
  EXPECT_THAT(answer().shown, Not(HasSubstr("canary-")));
  ASSERT_TRUE(reaches(0, "finished")) << "without another question: " << jobs().dump(1);
  rest(worker);
  EXPECT_THAT(arguments.found(), IsEmpty());
  expectNowhere(network);
}

}  // namespace
}  // namespace roadtune::remote
