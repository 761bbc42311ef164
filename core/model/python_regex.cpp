// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/python_regex.h"

#include "core/model/regex_program.h"

#include <cctype>
#include <functional>
#include <utility>

namespace roadtune::model {
namespace {

constexpr int kMostSteps = 2'000'000;
constexpr int kMostFrames = 1500;  // each costs about 1 kB of stack, 3 kB under the sanitizers

// Backtracking by continuation: match(node, at, next) asks `next` what follows, and tries another way when it says no.
class RegexMatcher {
 public:
  using Next = std::function<bool(std::size_t)>;

  RegexMatcher(const PythonRegex::Program& program, std::string_view text)
      : m_text(text), m_groups(static_cast<std::size_t>(program.groups) + 1, {npos, npos}) {}

  bool match(const RegexNode& node, std::size_t at, const Next& next) {
    if (++m_steps > kMostSteps || m_frames > kMostFrames) return false;
    ++m_frames;
    const bool found = dispatch(node, at, next);
    --m_frames;
    return found;
  }

 private:
  static constexpr std::size_t npos = std::string_view::npos;
  using Kind = RegexNode::Kind;

  bool dispatch(const RegexNode& node, std::size_t at, const Next& next) {
    switch (node.kind) {
      case Kind::Set: return at < m_text.size() && node.set[static_cast<unsigned char>(m_text[at])] && next(at + 1);
      case Kind::Start: return at == 0 && next(at);
      case Kind::End: return (at == m_text.size() || (at + 1 == m_text.size() && m_text[at] == '\n')) && next(at);
      case Kind::AbsoluteEnd: return at == m_text.size() && next(at);
      case Kind::Boundary: return boundary(at) && next(at);
      case Kind::NoBoundary: return !boundary(at) && next(at);
      case Kind::Group: return matchGroup(node, at, next);
      case Kind::Sequence: return matchSequence(node, 0, at, next);
      case Kind::Choice:
        for (const auto& child : node.children)
          if (match(*child, at, next)) return true;
        return false;
      case Kind::Repeat: return matchRepeat(node, 0, at, next);
      case Kind::Look: return looksLike(node, at) != node.negated && next(at);
      case Kind::Back: return matchBack(node, at, next);
    }
    return false;
  }

  bool word(std::size_t at) const {
    if (at >= m_text.size()) return false;
    const auto c = static_cast<unsigned char>(m_text[at]);
    return c >= 128 || std::isalnum(c) || c == '_';
  }
  bool boundary(std::size_t at) const { return (at > 0 && word(at - 1)) != word(at); }

  bool matchGroup(const RegexNode& node, std::size_t at, const Next& next) {
    if (node.group == 0) return match(*node.children.front(), at, next);
    auto& span = m_groups[static_cast<std::size_t>(node.group)];
    const auto before = span;
    const bool found = match(*node.children.front(), at, [&](std::size_t end) {
      const auto inner = std::exchange(span, {at, end});
      if (next(end)) return true;
      span = inner;
      return false;
    });
    if (!found) span = before;
    return found;
  }

  bool matchSequence(const RegexNode& node, std::size_t index, std::size_t at, const Next& next) {
    if (index == node.children.size()) return next(at);
    return match(*node.children[index], at,
                 [&, index](std::size_t end) { return matchSequence(node, index + 1, end, next); });
  }

  bool matchRepeat(const RegexNode& node, int count, std::size_t at, const Next& next) {
    const auto more = [&] {
      if (node.maximum >= 0 && count >= node.maximum) return false;
      return match(*node.children.front(), at, [&](std::size_t end) {
        if (end == at && count >= node.minimum) return false;  // an empty turn leads nowhere new
        return matchRepeat(node, count + 1, end, next);
      });
    };
    if (count < node.minimum) return more();
    return node.greedy ? more() || next(at) : next(at) || more();
  }

  bool looksLike(const RegexNode& node, std::size_t at) {
    if (!node.behind) return match(*node.children.front(), at, [](std::size_t) { return true; });
    for (std::size_t start = 0; start <= at; ++start)
      if (match(*node.children.front(), start, [at](std::size_t end) { return end == at; })) return true;
    return false;
  }

  bool matchBack(const RegexNode& node, std::size_t at, const Next& next) {
    const auto [begin, end] = m_groups[static_cast<std::size_t>(node.group)];
    if (begin == npos) return false;
    const std::string_view seen = m_text.substr(begin, end - begin);
    return m_text.substr(at, seen.size()) == seen && next(at + seen.size());
  }

  std::string_view m_text;
  std::vector<std::pair<std::size_t, std::size_t>> m_groups;
  int m_steps = 0;
  int m_frames = 0;
};

}  // namespace

Result<PythonRegex> PythonRegex::compile(const std::string& pattern) {
  ROADTUNE_TRY(auto program, parseRegex(pattern));
  return PythonRegex(std::move(program));
}

bool PythonRegex::fullMatch(std::string_view text) const {
  return RegexMatcher(*m_program, text).match(*m_program->root, 0, [&](std::size_t end) { return end == text.size(); });
}

bool PythonRegex::match(std::string_view text) const {
  return RegexMatcher(*m_program, text).match(*m_program->root, 0, [](std::size_t) { return true; });
}

}  // namespace roadtune::model
