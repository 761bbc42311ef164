// SPDX-License-Identifier: GPL-3.0-or-later
// Apart from hash.cpp, so that a program without SHA-256 does not load a cryptography library.
#include "core/base/hash.h"
#include "core/base/unique_fd.h"

#include <openssl/evp.h>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace roadtune {

struct Sha256::Context {
  EVP_MD_CTX* raw = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(raw); }
};

Sha256::Sha256() : m_context(std::make_unique<Context>()) { EVP_DigestInit_ex(m_context->raw, EVP_sha256(), nullptr); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::uint8_t> bytes) {
  EVP_DigestUpdate(m_context->raw, bytes.data(), bytes.size());
}
void Sha256::update(std::string_view bytes) { EVP_DigestUpdate(m_context->raw, bytes.data(), bytes.size()); }

std::string Sha256::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(m_context->raw, digest, &length);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::string sha256Hex(std::span<const std::uint8_t> bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.hex();
}

std::string sha256Hex(std::string_view bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.hex();
}

Result<std::string> sha256OfFile(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return systemError("cannot be opened", path.string());
  Sha256 sum;
  std::vector<std::uint8_t> part(1 << 20);  // not mapped: the pages would count as the program's own
  while (true) {
    const ssize_t count = ::read(fd.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return systemError("cannot be read", path.string());
    if (count == 0) return sum.hex();
    sum.update(std::span(part.data(), static_cast<std::size_t>(count)));
  }
}

}  // namespace roadtune
