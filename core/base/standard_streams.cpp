// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/standard_streams.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace roadtune {

namespace {

ssize_t say(void*, const char* text, std::size_t size) {
  for (std::size_t said = 0; said < size;) {
    const ssize_t now = ::write(STDERR_FILENO, text + said, size - said);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) break;
    said += static_cast<std::size_t>(now);
  }
  return static_cast<ssize_t>(size);
}

}  // namespace

void keepStandardStreams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is this one. What is printed to a stream that can only be read fails, as it did.
    (void)::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::FILE* patient = ::fopencookie(nullptr, "w", {.read = nullptr, .write = say, .seek = nullptr, .close = nullptr});
  if (!patient) return;
  std::setvbuf(patient, nullptr, _IONBF, 0);
  stderr = patient;
}

}  // namespace roadtune
