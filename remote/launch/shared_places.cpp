// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/shared_places.h"

#include "core/base/text.h"
#include "remote/launch/in_parallel.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>

namespace roadtune::remote {

namespace {

// A shell function that goes to the nearest folder that exists, as making the folders would.
constexpr const char* kNearest = "near() { d=$1; while [ ! -d \"$d\" ]; do d=$(dirname \"$d\"); done; }; ";

std::string inEach(const std::vector<std::string>& folders, const std::string& work) {
  std::string command = std::string(kNearest) + "for f in";
  for (const auto& folder : folders) command += " " + shellQuote(folder);
  return command + "; do near \"$f\"; " + work + "; done; true";
}

}  // namespace

std::vector<std::vector<std::size_t>> groupsOf(const std::vector<std::vector<std::size_t>>& seen) {
  std::vector<std::size_t> leader(seen.size());
  std::iota(leader.begin(), leader.end(), 0);
  const std::function<std::size_t(std::size_t)> find = [&](std::size_t i) {
    return leader[i] == i ? i : leader[i] = find(leader[i]);
  };
  for (std::size_t i = 0; i < seen.size(); ++i)
    for (const std::size_t other : seen[i])
      if (other < seen.size()) {
        const std::size_t a = find(i), b = find(other);
        leader[std::max(a, b)] = std::min(a, b);
      }
  std::vector<std::vector<std::size_t>> members(seen.size()), groups;
  for (std::size_t i = 0; i < seen.size(); ++i) members[find(i)].push_back(i);
  for (auto& group : members)
    if (!group.empty()) groups.push_back(std::move(group));
  return groups;
}

std::vector<std::vector<std::size_t>> groupsSharingPlaces(const std::vector<WritePlace>& machines) {
  std::vector<std::vector<std::size_t>> seen(machines.size());
  if (machines.size() < 2) return groupsOf(seen);
  const std::string mark = fmt::format(".roadtune-shared-{:08x}-", std::random_device{}());
  const auto onAll = [&](const auto& work) {
    inParallel(machines.size(), [&](std::size_t i) {
      if (machines[i].session && !machines[i].folders.empty()) work(i, machines[i]);
    });
  };
  onAll([&](std::size_t i, const WritePlace& one) {
    [[maybe_unused]] const auto left =
        one.session->output(inEach(one.folders, fmt::format(": > \"$d/{}{}\" 2>/dev/null", mark, i)));
  });
  // Asked for by name: a network file system may show an older list of a folder, but no older answer about a new name.
  onAll([&](std::size_t i, const WritePlace& one) {
    const auto told = one.session->output(inEach(
        one.folders, fmt::format("i=0; while [ $i -lt {} ]; do [ -e \"$d/{}$i\" ] && echo $i; i=$((i + 1)); done",
                                 machines.size(), mark)));
    for (const auto& line : split(told.ok() ? told.value() : "", '\n'))
      if (!line.empty()) seen[i].push_back(static_cast<std::size_t>(std::atoll(line.c_str())));
  });
  onAll([&](std::size_t i, const WritePlace& one) {
    [[maybe_unused]] const auto gone =
        one.session->output(inEach(one.folders, fmt::format("rm -f \"$d/{}{}\"", mark, i)));
  });
  return groupsOf(seen);
}

}  // namespace roadtune::remote
