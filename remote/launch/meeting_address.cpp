// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/meeting_address.h"

#include "core/base/text.h"
#include "remote/ssh/shell_quote.h"

#include <algorithm>

namespace roadtune::remote {

bool isLoopback(const std::string& address) {
  return startsWith(address, "127.") || startsWith(address, "::ffff:127.") || address == "::1";
}

Result<std::string> wayTo(Session& session, const std::string& address, const std::string& word,
                          const std::string& name) {
  ROADTUNE_TRY(const std::string route, session.output("ip -o route get " + shellQuote(address)));
  const auto words = split(route, ' ');
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end() || found + 1 == words.end()) return failed("no route to " + address, name);
  return std::string(trim(*(found + 1)));
}

namespace {

// Equal where machines have one loopback between them.
Result<std::string> loopbackOf(Session& session) {
  return session.output("cat /proc/sys/kernel/random/boot_id && readlink /proc/self/ns/net");
}

Error notFound(const Meeting& machine) {
  return badInput("was reached at " + *machine.address + ", where other machines do not find it", machine.name,
                  "name it by an address that the other machines reach");
}

Status requireOneLoopback(const std::vector<Meeting>& machines) {
  ROADTUNE_TRY(const std::string first, loopbackOf(*machines.front().session));
  for (const auto& machine : machines) {
    ROADTUNE_TRY(const std::string its, loopbackOf(*machine.session));
    if (its != first) return notFound(machine);
  }
  return {};
}

}  // namespace

Status leaveLoopbacks(const std::vector<Meeting>& machines) {
  if (machines.size() < 2) return {};
  const auto other = std::find_if(machines.begin(), machines.end(),
                                  [](const Meeting& machine) { return !isLoopback(*machine.address); });
  if (other == machines.end()) return requireOneLoopback(machines);
  for (const auto& machine : machines) {
    if (!isLoopback(*machine.address)) continue;
    const auto own = wayTo(*machine.session, *other->address, "src", machine.name);
    if (!own.ok() || isLoopback(own.value())) return notFound(machine);
    *machine.address = own.value();
  }
  return {};
}

}  // namespace roadtune::remote
