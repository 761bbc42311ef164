// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/chosen_keys.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace roadtune::remote {

namespace {

constexpr std::uint8_t kKeysFollow = 12;            // SSH_AGENT_IDENTITIES_ANSWER
constexpr std::uint32_t kLongestMessage = 1 << 20;  // bytes

std::string base64Of(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<std::uint8_t>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += at + i > bytes.size() ? '=' : kDigits[three >> (18 - 6 * i) & 63];
  }
  return text;
}

std::string numberAsBytes(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}

std::uint32_t numberIn(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<std::uint8_t>(bytes[i]);
  return number;
}

// A length and so many bytes; taken off the front.
std::optional<std::string> takeText(std::string_view& bytes) {
  if (bytes.size() < 4 || bytes.size() - 4 < numberIn(bytes)) return {};
  const std::string text(bytes.substr(4, numberIn(bytes)));
  bytes.remove_prefix(4 + text.size());
  return text;
}

bool readExactly(int fd, char* to, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(fd, to, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

// A whole message, without its length.
std::optional<std::string> readMessage(int fd) {
  std::string length(4, '\0');
  if (!readExactly(fd, length.data(), length.size()) || numberIn(length) > kLongestMessage) return {};
  std::string message(numberIn(length), '\0');
  if (!readExactly(fd, message.data(), message.size())) return {};
  return message;
}

bool sendMessage(int fd, const std::string& message) {
  const std::string bytes = numberAsBytes(static_cast<std::uint32_t>(message.size())) + message;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

std::optional<sockaddr_un> addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) return {};
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

// "ssh-ed25519 AAAA... comment" -> "AAAA..."
std::string keyNamedBy(const std::string& file) {
  const auto text = readFile(file.ends_with(".pub") ? file : file + ".pub");
  const auto words = split(text.ok() ? text.value() : "", ' ');
  return words.size() > 1 ? std::string(trim(words[1])) : "";
}

UniqueFd unixSocket() { return UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

}  // namespace

std::unique_ptr<ChosenKeys> ChosenKeys::open(const std::vector<std::string>& identityFiles) {
  std::unique_ptr<ChosenKeys> chosen(new ChosenKeys);
  for (const auto& file : identityFiles)
    if (std::string key = keyNamedBy(file); !key.empty()) chosen->m_keys.push_back(std::move(key));
  const char* agent = std::getenv("SSH_AUTH_SOCK");
  const auto there = addressOf(agent ? agent : "");
  if (chosen->m_keys.empty() || !there) return nullptr;
  chosen->m_agent = unixSocket();
  if (::connect(chosen->m_agent.get(), reinterpret_cast<const sockaddr*>(&*there), sizeof *there) != 0) return nullptr;
  std::error_code code;
  std::string folder = fs::temp_directory_path(code) / "roadtune-keys-XXXXXX";
  if (code || !::mkdtemp(folder.data())) return nullptr;
  chosen->m_folder = folder;
  chosen->m_socket = folder + "/agent";
  chosen->m_listening = unixSocket();
  const auto here = addressOf(chosen->m_socket);
  if (!here || ::bind(chosen->m_listening.get(), reinterpret_cast<const sockaddr*>(&*here), sizeof *here) != 0 ||
      ::listen(chosen->m_listening.get(), 4) != 0)
    return nullptr;
  chosen->m_thread = std::jthread([self = chosen.get()] { self->serve(); });
  return chosen;
}

ChosenKeys::~ChosenKeys() {
  if (m_listening.valid()) ::shutdown(m_listening.get(), SHUT_RDWR);
  if (m_agent.valid()) ::shutdown(m_agent.get(), SHUT_RDWR);
  if (m_thread.joinable()) m_thread.join();
  std::error_code code;
  if (!m_folder.empty()) fs::remove_all(m_folder, code);
}

void ChosenKeys::serve() const {
  while (true) {
    const UniqueFd client(::accept4(m_listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid() && errno == EINTR) continue;
    if (!client.valid()) return;
    speak(client.get());
  }
}

// Until one of both hangs up.
void ChosenKeys::speak(int client) const {
  while (true) {
    pollfd both[] = {{client, POLLIN, 0}, {m_agent.get(), POLLIN, 0}};
    if (::poll(both, 2, -1) < 0 && errno != EINTR) return;
    if (both[1].revents != 0) return;  // it says nothing unasked
    if (both[0].revents == 0) continue;
    const auto question = readMessage(client);
    if (!question || !sendMessage(m_agent.get(), *question)) return;
    const auto answer = readMessage(m_agent.get());
    if (!answer || !sendMessage(client, filtered(*answer))) return;
  }
}

std::string ChosenKeys::filtered(const std::string& answer) const {
  if (answer.size() < 5 || static_cast<std::uint8_t>(answer[0]) != kKeysFollow) return answer;
  std::string_view rest = std::string_view(answer).substr(5);
  std::string kept;
  std::uint32_t count = 0;
  while (!rest.empty()) {
    const auto key = takeText(rest), comment = key ? takeText(rest) : std::nullopt;
    if (!comment) break;
    if (std::find(m_keys.begin(), m_keys.end(), base64Of(*key)) == m_keys.end()) continue;
    ++count;
    for (const std::string* text : {&*key, &*comment})
      kept += numberAsBytes(static_cast<std::uint32_t>(text->size())) + *text;
  }
  return std::string(1, static_cast<char>(kKeysFollow)) + numberAsBytes(count) + kept;
}

}  // namespace roadtune::remote
