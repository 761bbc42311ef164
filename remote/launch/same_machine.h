// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/ssh/session.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::remote {

// What a machine has that no other one has, until it is started anew; containers that have a network or processes of
// their own are machines of their own, on whatever hardware they are, and so is an account with a home of its own: who
// names two of them means two. Empty where it does not tell.
std::string machineMark(Session& session);

// Two names of the same machine, of pairs of name and mark. Names in ssh_config that lead to different addresses may
// mean one machine all the same.
std::optional<std::pair<std::string, std::string>> namedTwice(
    const std::vector<std::pair<std::string, std::string>>& marksByName);

// Refuses two names of one machine: each would start the ranks that it has room for.
Error sameMachine(const std::string& one, const std::string& other);

}  // namespace roadtune::remote
