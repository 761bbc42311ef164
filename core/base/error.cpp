// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <cerrno>
#include <cstring>

namespace roadtune {

std::string Error::text() const {
  std::string line = where.empty() ? what : where + ": " + what;
  if (!hint.empty()) line += " (try: " + hint + ")";
  return line;
}

namespace {

Error make(ErrorKind kind, std::string&& what, std::string&& where, std::string&& hint) {
  return Error{kind, std::move(what), std::move(where), std::move(hint)};
}

std::string hintFor(int errnoValue) {
  switch (errnoValue) {
    case ENOSPC: return "free some space, or choose a folder on another disk";
    case EDQUOT: return "your disk quota is used up; free some space or choose another folder";
    case EROFS: return "the file system is read-only; choose another folder";
    case EACCES:
    case EPERM: return "check the permissions, or choose a folder of your own";
    case ENOENT: return "check the path";
    case EMFILE: return "raise the limit on open files (ulimit -n)";
    default: return {};
  }
}

}  // namespace

Error failed(std::string what, std::string where, std::string hint) {
  return make(ErrorKind::Failed, std::move(what), std::move(where), std::move(hint));
}
Error badInput(std::string what, std::string where, std::string hint) {
  return make(ErrorKind::BadInput, std::move(what), std::move(where), std::move(hint));
}
Error missing(std::string what, std::string where, std::string hint) {
  return make(ErrorKind::Missing, std::move(what), std::move(where), std::move(hint));
}
Error cancelled(std::string what) { return make(ErrorKind::Cancelled, std::move(what), {}, {}); }

Error systemError(int errnoValue, std::string what, std::string where) {
  return make(ErrorKind::Failed, std::move(what) + ": " + std::strerror(errnoValue), std::move(where),
              hintFor(errnoValue));
}
Error systemError(std::string what, std::string where) {
  const int errnoValue = errno;
  return systemError(errnoValue, std::move(what), std::move(where));
}

}  // namespace roadtune
