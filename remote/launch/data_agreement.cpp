// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/data_agreement.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "remote/launch/in_parallel.h"
#include "remote/ssh/shell_quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace roadtune::remote {

namespace {

// Prints "hash files bytes" or "absent" for the path `{}`, without its first slash. On standard input come the files
// that count, likewise, or nothing for all. Where the path holds none of them, a copy of ours may. sha256sum, find and
// xargs are wherever sshd is.
constexpr const char* kScript = R"(p={}; names=$(cat); for d in / ~/.roadtune/inputs; do
cd "$d" 2>/dev/null && [ -e "./$p" ] || continue
if [ -n "$names" ]; then files=$(printf '%s\n' "$names" | xargs -d '\n' stat -L -c '%s %n' -- 2>/dev/null)
else files=$(find "./$p" -type f ! -name '*.lock' ! -name problems.jsonl ! -name 'user.sqlite*' -printf '%s %p\n'); fi
[ -n "$files" ] && break; done; if [ -z "$files" ]; then echo absent; else
ends=$(printf '%s\n' "$files" | LC_ALL=C sort -rn | head -n 32 | while read -r s f; do {{ head -c 65536 "$f"; tail -c 65536 "$f"; }} | sha256sum; done)
{{ printf '%s\n' "$files" | LC_ALL=C sort; printf '%s\n' "$ends"; }} | sha256sum | cut -c1-16 | tr '\n' ' '
printf '%s\n' "$files" | awk 'NF {{ n++; b += $1 }} END {{ printf "%d %.0f\n", n, b }}'
fi)";

std::string withoutSlash(const std::string& path) {
  return path.substr(std::min(path.find_first_not_of('/'), path.size()));
}

Result<std::map<std::string, Fingerprint>> ask(const std::string& host, const std::vector<InputGroup>& inputs,
                                               const HostAccess& access) {
  ROADTUNE_TRY(Session session, access.connect(host));
  std::map<std::string, Fingerprint> found;
  for (const auto& group : inputs) {
    std::string names;
    for (const auto& file : group.files) names += withoutSlash(file.target) + "\n";
    ROADTUNE_TRY(const CommandResult result,
                 session.run(fmt::format(fmt::runtime(kScript), shellQuote(withoutSlash(group.root))),
                             {.input = names, .timeoutSeconds = 60}));
    const auto words = split(std::string(trim(result.out)), ' ');
    Fingerprint& one = found[group.root];
    if (words.size() != 3) continue;
    one = {true, words[0], std::strtoull(words[1].c_str(), nullptr, 10), std::strtoull(words[2].c_str(), nullptr, 10)};
  }
  return found;
}

}  // namespace

Fingerprints fingerprintsOn(const std::vector<std::string>& hosts, const std::vector<InputGroup>& inputs,
                            const HostAccess& access) {
  std::vector<Result<std::map<std::string, Fingerprint>>> answers(hosts.size(), failed("not asked"));
  inParallel(hosts.size(), [&](std::size_t i) { answers[i] = ask(hosts[i], inputs, access); });
  Fingerprints all;
  for (std::size_t i = 0; i < hosts.size(); ++i)
    if (answers[i].ok()) all[hosts[i]] = answers[i].value();
  return all;
}

std::vector<Check> judgeData(const Fingerprints& fingerprints, const std::vector<std::string>& paths) {
  std::vector<Check> checks;
  for (const auto& path : paths) {
    std::vector<std::string> absent;
    std::map<std::string, std::vector<std::string>> hostsByHash;
    Fingerprint any;
    for (const auto& [host, found] : fingerprints) {
      const auto at = found.find(path);
      if (at == found.end() || !at->second.there) {
        absent.push_back(host);
        continue;
      }
      any = at->second;
      hostsByHash[at->second.hash].push_back(host);
    }
    Check check{"data " + path,
                Verdict::Fine,
                counted(any.files, "file") + ", " + formatBytes(static_cast<double>(any.bytes)),
                {}};
    if (!absent.empty()) {
      check.verdict = Verdict::Bad;
      check.value = "is not on " + join(absent, ", ");
      check.fix = "`roadtune fleet sync` copies it there from here";
      if (any.there) check.fix += ", " + formatBytes(static_cast<double>(any.bytes)) + " each";
      check.fix += "; or use a shared file system";
    } else if (hostsByHash.size() > 1) {
      std::vector<std::string> words;
      for (const auto& [hash, hosts] : hostsByHash) words.push_back(hash.substr(0, 8) + " on " + join(hosts, ", "));
      check.verdict = Verdict::Bad;
      check.value = "differs: " + join(words, "; ");
      check.fix = "`roadtune fleet sync` makes it what it is here; ranks would not see the same";
    } else {
      check.value += ", the same everywhere";
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace roadtune::remote
