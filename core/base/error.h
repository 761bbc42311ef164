// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace roadtune {

// Why something did not happen. The kind decides the exit code of a program (see exit_code.h).
enum class ErrorKind {
  Failed,     // the work was understood and attempted, and failed
  BadInput,   // a file, key, option or value given by the user is wrong
  Missing,    // this machine lacks something: a library, a device, a permission
  Cancelled,  // the user asked to stop
};

// Says what went wrong, where (file, line, key, host), and what to try next.
struct Error {
  ErrorKind kind = ErrorKind::Failed;
  std::string what;
  std::string where = {};
  std::string hint = {};

  // "where: what (try: hint)" on one line.
  std::string text() const;
};

Error failed(std::string what, std::string where = {}, std::string hint = {});
Error badInput(std::string what, std::string where = {}, std::string hint = {});
Error missing(std::string what, std::string where = {}, std::string hint = {});
Error cancelled(std::string what = "cancelled");

// The last failed system call, in words: systemError("cannot open", path) -> "path: cannot open: Permission denied".
// Full disk and read-only targets get a hint of their own.
Error systemError(std::string what, std::string where = {});
Error systemError(int errnoValue, std::string what, std::string where = {});

}  // namespace roadtune
