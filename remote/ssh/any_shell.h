// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace roadtune::remote {

// sshd hands every command to the login shell of the user, which may be fish or csh, and may print a greeting first.

// The same command for a POSIX shell, in words that every login shell passes on as they are.
std::string forAnyShell(const std::string& commandLine);

// Takes away what came before the command's own output. Fed with all that has arrived of one stream so far; false while
// the command has not begun to speak.
bool dropGreeting(std::string& stream);

}  // namespace roadtune::remote
