// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/link_news.h"

#include "app/cli/as_of.h"
#include "core/base/clock.h"
#include "remote/ssh/host_key.h"

#include <fmt/format.h>

#include <algorithm>

namespace roadtune::cli {

namespace {

constexpr double kBlip = 5;  // seconds

std::string whatIsWrong(const remote::RunMirrors::Trouble& trouble) {
  const bool otherKey = trouble.error.find(remote::kHostKeyChanged) != std::string::npos;
  return trouble.machine + (otherKey ? " is not let in, for its host key changed" : " cannot be reached");
}

}  // namespace

void LinkNews::look(const remote::RunMirrors& mirrors) {
  const auto troubles = mirrors.troubles();
  std::erase_if(m_machines, [&](const auto& known) {
    const bool back = std::none_of(troubles.begin(), troubles.end(),
                                   [&](const auto& trouble) { return trouble.machine == known.first; });
    if (back && known.second.told) m_screen.say(known.first + " is back");
    return back;
  });
  for (const auto& trouble : troubles) {
    Machine& machine = m_machines.try_emplace(trouble.machine, Machine{monotonicSeconds()}).first->second;
    if (monotonicSeconds() - machine.noticed < kBlip) continue;
    const std::string words = whatIsWrong(trouble);
    if (!machine.told || machine.words != words)
      m_screen.say(fmt::format("{}{}: {}; shown is what was known then", words,
                               trouble.heard > 0 ? ", since " + clockWords(trouble.heard) : "", trouble.error));
    machine.told = true;
    machine.words = words;
  }
  m_screen.freeze(!trouble().empty());
}

std::string LinkNews::trouble() const {
  for (const auto& [name, machine] : m_machines)
    if (machine.told) return machine.words;
  return {};
}

}  // namespace roadtune::cli
