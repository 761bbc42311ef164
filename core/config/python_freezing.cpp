// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/python_freezing.h"

#include "core/base/text.h"
#include "core/config/code_words.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace roadtune::config {
namespace {

constexpr std::string_view kGrad = "requires_grad";
const std::vector<std::string> kParts{"vision_tower", "multi_modal_projector", "language_model"};

std::size_t lineBegin(std::string_view code, std::size_t at) {
  const auto end = at == 0 ? std::string_view::npos : code.rfind('\n', at - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

std::string_view lineAt(std::string_view code, std::size_t at) {
  const auto begin = lineBegin(code, at);
  return code.substr(begin, code.find('\n', at) - begin);
}

std::size_t indentOf(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

// "a.b.c" before `end`.
std::string_view chainBefore(std::string_view code, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && (isWord(code[begin - 1]) || code[begin - 1] == '.')) --begin;
  return code.substr(begin, end - begin);
}

// True or False behind `requires_grad =` or in `requires_grad_()`; nothing where it is only looked at.
std::optional<std::string_view> assigned(std::string_view code, std::size_t grad) {
  std::string_view rest = code.substr(grad + kGrad.size());
  if (startsWith(rest, "_(")) return trim(rest.substr(2, rest.find_first_of(")\n") - 2));
  rest = trim(rest.substr(0, rest.find_first_of("\n;")));
  if (!startsWith(rest, "=") || startsWith(rest, "==")) return std::nullopt;
  return trim(rest.substr(1));
}

// The parts that a name like "model.vision_tower.encoder" or "model" means.
std::vector<std::string> partsOf(std::string_view chain) {
  if (chain.empty()) return {};
  const std::string last(chain.substr(chain.rfind('.') + 1));
  for (const auto& part : kParts)
    if (last == part) return {part};
  for (const auto& part : kParts)
    if (chain.find(part) != std::string_view::npos) return {};  // something inside of it
  const bool whole = chain.find('.') == std::string_view::npos || startsWith(chain, "self.") || last == "model";
  return whole ? kParts : std::vector<std::string>();
}

// The part that `"vision_tower" in name` or `name.startswith("model.vision_tower")` asks for.
std::vector<std::string> partsOfTest(std::string_view test, std::string_view name) {
  test = trim(test);
  const std::string call = std::string(name) + ".startswith(";
  const bool begins = startsWith(test, call) && endsWith(test, ")");
  if (begins) test = trim(test.substr(call.size(), test.size() - call.size() - 1));
  const std::size_t end = test.size() < 2 ? 0 : test.find(test[0], 1);
  if (end == 0 || end == std::string_view::npos || !isQuote(test[0])) return {};
  const auto rest = trim(test.substr(end + 1));
  if (begins ? !rest.empty() : !startsWith(rest, "in ") || trim(rest.substr(3)) != name) return {};
  std::string_view words = test.substr(1, end - 1);
  while (endsWith(words, ".")) words.remove_suffix(1);
  const auto parts = partsOf("x." + std::string(words));
  return parts.size() == 1 ? parts : std::vector<std::string>();
}

// Of tests joined with `or`; `"language_model" not in name` asks for the others.
std::vector<std::string> partsAskedFor(std::string_view condition, std::string_view name) {
  std::string positive(condition);
  if (const auto no = positive.find("\" not in "); no != std::string::npos) {
    positive.replace(no, 9, "\" in ");
    const auto leftOut = partsOfTest(positive, name);
    std::vector<std::string> others;
    for (const auto& part : kParts)
      if (!leftOut.empty() && part != leftOut[0]) others.push_back(part);
    return others;
  }
  std::vector<std::string> all;
  for (std::size_t from = 0; from <= condition.size();) {
    const auto end = std::min(condition.find(" or ", from), condition.size());
    const auto parts = partsOfTest(condition.substr(from, end - from), name);
    if (parts.empty()) return {};
    all.push_back(parts[0]);
    from = end + 4;
  }
  return all;
}

// A line with the one that follows it, as far as this indent is left.
bool hasOtherBranch(std::string_view code, std::size_t at, std::size_t indent) {
  for (auto next = code.find('\n', at); next != std::string_view::npos; next = code.find('\n', next + 1)) {
    const auto line = lineAt(code, next + 1);
    if (trim(line).empty() || indentOf(line) > indent) continue;
    return startsWith(trim(line), "else") || startsWith(trim(line), "elif");
  }
  return false;
}

// The lines around one, from the nearest to the loop: each stands further to the left than the one before.
std::vector<std::string_view> around(std::string_view code, std::size_t at) {
  constexpr std::size_t kMostLines = 40;
  std::vector<std::string_view> lines;
  std::size_t begin = lineBegin(code, at), indent = indentOf(lineAt(code, at));
  for (std::size_t n = 0; n < kMostLines && begin > 0 && indent > 0; ++n) {
    begin = lineBegin(code, begin - 1);
    const auto line = lineAt(code, begin);
    if (trim(line).empty() || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    lines.push_back(line);
    if (startsWith(trim(line), "for ")) break;
  }
  return lines;
}

// What `for NAMES in CHAIN.parameters():` goes through, its last name being the weight.
std::vector<std::string> partsOfLoop(std::string_view header, std::string_view weight, std::string_view condition) {
  header = trim(header);
  const auto in = header.find(" in ");
  if (!startsWith(header, "for ") || in == std::string_view::npos) return {};
  const auto names = split(header.substr(4, in - 4), ',');
  if (names.empty() || trim(names.back()) != weight) return {};
  const auto over = trim(header.substr(in + 4));
  const bool named = over.find(".named_parameters()") != std::string_view::npos;
  const auto end = over.find(named ? ".named_parameters()" : ".parameters()");
  if (end == std::string_view::npos || named != (names.size() == 2)) return {};
  auto parts = partsOf(over.substr(0, end));
  if (condition.empty()) return parts;
  return named && parts == kParts ? partsAskedFor(condition, trim(names[0])) : std::vector<std::string>();
}

std::vector<std::string> partsAt(std::string_view code, std::size_t grad) {
  const auto chain = chainBefore(code, grad - 1);
  const auto line = lineAt(code, grad);
  if (chain.find('.') != std::string_view::npos || partsOf(chain) != kParts) return partsOf(chain);
  const auto begin = lineBegin(code, grad);
  const auto before = trim(code.substr(begin, static_cast<std::size_t>(chain.data() - code.data()) - begin));
  if (startsWith(before, "for ")) return partsOfLoop(before.substr(0, before.rfind(':')), chain, {});
  if (!before.empty()) return {};
  const auto lines = around(code, grad);
  const auto isLoop = [](std::string_view one) { return startsWith(trim(one), "for "); };
  if (lines.empty() || !isLoop(lines.back()))  // a module has the function, and no such member
    return startsWith(code.substr(grad + kGrad.size()), "_(") ? kParts : std::vector<std::string>();
  if (lines.size() == 1) return partsOfLoop(lines[0], chain, {});
  const auto asked = trim(lines[0]);
  if (lines.size() > 2 || !startsWith(asked, "if ") || !endsWith(asked, ":")) return {};
  if (hasOtherBranch(code, grad, indentOf(line) - 1)) return {};
  return partsOfLoop(lines[1], chain, trim(asked.substr(3, asked.size() - 4)));
}

}  // namespace

std::vector<Freezing> freezingsIn(const std::string& code) {
  std::vector<Freezing> all;
  for (auto at = code.find(kGrad); at != std::string::npos; at = code.find(kGrad, at + 1)) {
    const auto value = at > 0 && code[at - 1] == '.' ? assigned(code, at) : std::nullopt;
    if (!value) continue;
    Freezing one{at, inOneLine(trim(lineAt(code, at))), {}, *value == "False"};
    if (one.frozen || *value == "True" || value->empty()) one.parts = partsAt(code, at);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace roadtune::config
