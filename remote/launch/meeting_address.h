// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "remote/ssh/session.h"

#include <string>
#include <vector>

namespace roadtune::remote {

// A machine on its way to meet others.
struct Meeting {
  std::string name;  // as the user typed it
  Session* session = nullptr;
  std::string* address = nullptr;  // by which it was reached
};

// A machine that was reached over its own loopback, as this one is by its name or as "localhost", gets the address from
// which it talks to another one: there the others find it. Refuses where there is none; machines that all share one
// loopback, as accounts of one machine do, meet there.
Status leaveLoopbacks(const std::vector<Meeting>& machines);

// What stands behind `word` in the way from a machine to an address: "dev" the interface, "src" its own address there.
Result<std::string> wayTo(Session& session, const std::string& address, const std::string& word,
                          const std::string& name);

// 127.x.y.z, ::1, and the former as IPv6 writes it.
bool isLoopback(const std::string& address);

}  // namespace roadtune::remote
