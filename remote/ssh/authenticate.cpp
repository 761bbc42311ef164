// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/authenticate.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <libssh/libssh.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace roadtune::remote {

namespace {

class Attempts {
 public:
  Attempts(ssh_session session, const HostSpec& host, const Prompts& prompts)
      : m_session(session), m_host(host), m_prompts(prompts) {}

  bool agent() {
    if (!std::getenv("SSH_AUTH_SOCK")) return note("no agent (SSH_AUTH_SOCK is not set)");
    const int code = ssh_userauth_agent(m_session, nullptr);
    return code == SSH_AUTH_SUCCESS || note("agent: no key of it was accepted");
  }

  bool keyFile(const std::string& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return false;
    if (std::filesystem::exists(file + "-cert.pub", ignored))
      note(file + "-cert.pub: certificates are not supported; the plain key is used");
    ssh_key key = nullptr;
    const int code = ssh_pki_import_privkey_file(file.c_str(), nullptr, &refusePassphrase, nullptr, &key);
    if (code != SSH_OK && !unlock(file, key)) return false;
    const int answer = ssh_userauth_publickey(m_session, nullptr, key);
    ssh_key_free(key);
    return answer == SSH_AUTH_SUCCESS || note(file + ": the key was refused");
  }

  bool interactive() {
    if (!m_prompts.reply) return false;
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
    if (code == SSH_AUTH_SUCCESS) return true;
    refused(m_host.label());
    return note("keyboard-interactive: refused");
  }

  bool password() {
    if (!m_prompts.password) return false;
    for (int attempt = 0; attempt < tries(); ++attempt) {
      const auto word = m_prompts.password(m_host.label());
      if (!word) return note(attempt == 0 ? "no password given" : "wrong password");
      const int code = ssh_userauth_password(m_session, nullptr, word->c_str());
      if (code == SSH_AUTH_SUCCESS) return true;
      refused(m_host.label());
      if (code == SSH_AUTH_ERROR) break;  // the server has had enough
    }
    return note("wrong password");
  }

  std::string story() const { return join(m_notes, "; "); }

 private:
  bool unlock(const std::string& file, ssh_key& key) {
    for (int attempt = 0; attempt < tries(); ++attempt) {
      const auto phrase = m_prompts.passphrase ? m_prompts.passphrase(file) : std::nullopt;
      if (!phrase && attempt == 0) return note(file + ": cannot be read without its passphrase");
      if (!phrase) break;
      if (ssh_pki_import_privkey_file(file.c_str(), phrase->c_str(), nullptr, nullptr, &key) == SSH_OK) return true;
      refused(file);
    }
    return note(file + ": wrong passphrase, or not a private key");
  }

  // As often as ssh asks. Who does not hear that an answer was wrong would only give it again.
  int tries() const { return m_prompts.refused ? 3 : 1; }

  // libssh would otherwise ask on the terminal.
  static int refusePassphrase(const char*, char*, std::size_t, int, int, void*) { return -1; }

  bool note(std::string text) {
    m_notes.push_back(std::move(text));
    return false;
  }

  void refused(const std::string& about) {
    if (m_prompts.refused) m_prompts.refused(about);
  }

  ssh_session m_session;
  const HostSpec& m_host;
  const Prompts& m_prompts;
  std::vector<std::string> m_notes;
};

}  // namespace

Status authenticate(ssh_session session, const HostSpec& host, const Prompts& prompts) {
  const int none = ssh_userauth_none(session, nullptr);
  if (none == SSH_AUTH_SUCCESS) return {};
  if (none == SSH_AUTH_ERROR)
    return failed(fmt::format("the connection broke off: {}", ssh_get_error(session)), host.label());
  const int methods = ssh_userauth_list(session, nullptr);
  Attempts attempts(session, host, prompts);
  if (methods & SSH_AUTH_METHOD_PUBLICKEY) {
    if (!host.identitiesOnly && attempts.agent()) return {};
    for (const auto& file : host.identityFiles)
      if (attempts.keyFile(file)) return {};
  }
  if ((methods & SSH_AUTH_METHOD_INTERACTIVE) && attempts.interactive()) return {};
  if ((methods & SSH_AUTH_METHOD_PASSWORD) && attempts.password()) return {};
  std::string story = attempts.story();
  if (story.empty()) story = "no key was found";
  return failed("permission denied: " + story, host.label(),
                "add your key to the agent (ssh-add), or copy it there (ssh-copy-id)");
}

}  // namespace roadtune::remote
