// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/authenticate.h"

#include "core/base/text.h"
#include "remote/ssh/chosen_keys.h"

#include <fmt/format.h>
#include <libssh/libssh.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

namespace roadtune::remote {

namespace {

enum class Answer { In, Further, Refused };  // Further: right, and another proof is wanted beside it

constexpr int kMostProofs = 4;
constexpr long kHumanAnswer = 120;  // seconds, also for what a server asks a telephone

class Attempts {
 public:
  Attempts(ssh_session session, const HostSpec& host, const Prompts& prompts)
      : m_session(session), m_host(host), m_prompts(prompts) {}

  // Whatever the server takes now, until something is right.
  Answer tryAll() {
    const int methods = ssh_userauth_list(m_session, nullptr);
    Answer answer = Answer::Refused;
    if (methods & SSH_AUTH_METHOD_PUBLICKEY) answer = keys();
    if (answer == Answer::Refused && (methods & SSH_AUTH_METHOD_INTERACTIVE)) answer = interactive();
    if (answer == Answer::Refused && (methods & SSH_AUTH_METHOD_PASSWORD)) answer = password();
    return answer;
  }

  std::string story() const { return join(m_notes, "; "); }

 private:
  Answer keys() {
    Answer answer = agent();
    for (const auto& file : m_host.identityFiles)
      if (answer == Answer::Refused) answer = keyFile(file);
    return answer;
  }

  // Keys of the agent: all, or those that ssh_config names.
  Answer agent() {
    if (!std::getenv("SSH_AUTH_SOCK"))
      return m_host.identitiesOnly ? Answer::Refused : note("no agent (SSH_AUTH_SOCK is not set)");
    if (m_host.identitiesOnly && !m_chosen) {
      m_chosen = ChosenKeys::open(m_host.identityFiles);
      if (!m_chosen) return Answer::Refused;
      ssh_options_set(m_session, SSH_OPTIONS_IDENTITY_AGENT, m_chosen->socket().c_str());
    }
    const int code = ssh_userauth_agent(m_session, nullptr);
    return heard(code, "a key of the agent", "agent: no key of it was accepted");
  }

  Answer keyFile(const std::string& file) {
    std::error_code ignored;
    if (m_taken.contains(file) || !std::filesystem::exists(file, ignored)) return Answer::Refused;
    if (file.ends_with(".pub")) return note(file + ": its other half is not in the agent, or was refused");
    if (std::filesystem::exists(file + "-cert.pub", ignored))
      note(file + "-cert.pub: certificates are not supported; the plain key is used");
    ssh_key key = nullptr;
    const int code = ssh_pki_import_privkey_file(file.c_str(), nullptr, &refusePassphrase, nullptr, &key);
    if (code != SSH_OK && !unlock(file, key)) return Answer::Refused;
    const int answer = ssh_userauth_publickey(m_session, nullptr, key);
    ssh_key_free(key);
    if (answer == SSH_AUTH_PARTIAL) m_taken.insert(file);
    return heard(answer, file, file + ": the key was refused");
  }

  Answer interactive() {
    if (!m_prompts.reply) return Answer::Refused;
    const Patience patience(m_session, m_host.connectTimeoutSeconds);
    int code = ssh_userauth_kbdint(m_session, nullptr, nullptr);
    while (code == SSH_AUTH_INFO) {
      const int count = ssh_userauth_kbdint_getnprompts(m_session);
      for (int i = 0; i < count; ++i) {
        char echo = 0;
        const char* question = ssh_userauth_kbdint_getprompt(m_session, static_cast<unsigned>(i), &echo);
        const auto answer = m_prompts.reply(fmt::format("{}: {}", m_host.label(), question ? question : ""), echo != 0);
        if (!answer) return note("keyboard-interactive: no answer given");
        ssh_userauth_kbdint_setanswer(m_session, static_cast<unsigned>(i), answer->c_str());
      }
      code = ssh_userauth_kbdint(m_session, nullptr, nullptr);
    }
    if (code != SSH_AUTH_SUCCESS && code != SSH_AUTH_PARTIAL) refused(m_host.label());
    return heard(code, "keyboard-interactive", "keyboard-interactive: refused");
  }

  Answer password() {
    if (!m_prompts.password) return Answer::Refused;
    for (int attempt = 0; attempt < tries(); ++attempt) {
      const auto word = m_prompts.password(m_host.label());
      if (!word) return note(attempt == 0 ? "no password given" : "wrong password");
      const int code = ssh_userauth_password(m_session, nullptr, word->c_str());
      if (code == SSH_AUTH_SUCCESS || code == SSH_AUTH_PARTIAL) return heard(code, "the password", {});
      refused(m_host.label());
      if (code == SSH_AUTH_ERROR) break;  // the server has had enough
    }
    return note("wrong password");
  }

  // A person who is asked elsewhere needs longer than a connection may take.
  struct Patience {
    Patience(ssh_session session, long usual) : m_session(session), m_usual(usual) {
      ssh_options_set(session, SSH_OPTIONS_TIMEOUT, &kHumanAnswer);
    }
    ~Patience() { ssh_options_set(m_session, SSH_OPTIONS_TIMEOUT, &m_usual); }
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;
    ssh_session m_session;
    long m_usual;
  };

  bool unlock(const std::string& file, ssh_key& key) {
    for (int attempt = 0; attempt < tries(); ++attempt) {
      const auto phrase = m_prompts.passphrase ? m_prompts.passphrase(file) : std::nullopt;
      if (!phrase && attempt == 0) return note(file + ": cannot be read without its passphrase"), false;
      if (!phrase) break;
      if (ssh_pki_import_privkey_file(file.c_str(), phrase->c_str(), nullptr, nullptr, &key) == SSH_OK) return true;
      refused(file);
    }
    return note(file + ": wrong passphrase, or not a private key"), false;
  }

  // As often as ssh asks. Who does not hear that an answer was wrong would only give it again.
  int tries() const { return m_prompts.refused ? 3 : 1; }

  // libssh would otherwise ask on the terminal.
  static int refusePassphrase(const char*, char*, std::size_t, int, int, void*) { return -1; }

  Answer heard(int code, const std::string& proof, std::string why) {
    if (code == SSH_AUTH_SUCCESS) return Answer::In;
    if (code != SSH_AUTH_PARTIAL) return note(std::move(why));
    note(proof + ": accepted, and more is asked for");
    return Answer::Further;
  }

  Answer note(std::string text) {
    m_notes.push_back(std::move(text));
    return Answer::Refused;
  }

  void refused(const std::string& about) {
    if (m_prompts.refused) m_prompts.refused(about);
  }

  ssh_session m_session;
  const HostSpec& m_host;
  const Prompts& m_prompts;
  std::vector<std::string> m_notes;
  std::unique_ptr<ChosenKeys> m_chosen;
  std::set<std::string> m_taken;  // key files that were right, and are taken once
};

}  // namespace

Status authenticate(ssh_session session, const HostSpec& host, const Prompts& prompts) {
  const int none = ssh_userauth_none(session, nullptr);
  if (none == SSH_AUTH_SUCCESS) return {};
  if (none == SSH_AUTH_ERROR)
    return failed(fmt::format("the connection broke off: {}", ssh_get_error(session)), host.label());
  Attempts attempts(session, host, prompts);
  Answer answer = Answer::Further;
  for (int proofs = 0; proofs < kMostProofs && answer == Answer::Further; ++proofs) answer = attempts.tryAll();
  if (answer == Answer::In) return {};
  std::string story = attempts.story();
  if (story.empty()) story = "no key was found";
  return failed("permission denied: " + story, host.label(),
                "add your key to the agent (ssh-add), or copy it there (ssh-copy-id)");
}

}  // namespace roadtune::remote
