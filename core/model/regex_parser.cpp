// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/regex_program.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <optional>

namespace roadtune::model {
namespace {

using Node = RegexNode;
using NodePointer = std::unique_ptr<Node>;

constexpr int kDeepest = 100;
constexpr int kMostRepeats = 1000;

NodePointer makeNode(Node::Kind kind) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  return node;
}

// \d, \w, \s and their opposites.
std::optional<std::bitset<256>> namedClass(char letter) {
  std::bitset<256> set;
  for (int c = 0; c < 256; ++c) {
    switch (std::tolower(letter)) {
      case 'd': set[static_cast<std::size_t>(c)] = c >= '0' && c <= '9'; break;
      case 'w': set[static_cast<std::size_t>(c)] = c < 128 ? std::isalnum(c) || c == '_' : true; break;
      case 's': set[static_cast<std::size_t>(c)] = c == ' ' || (c >= '\t' && c <= '\r'); break;
      default: return std::nullopt;
    }
  }
  return std::isupper(letter) ? ~set : set;
}

std::optional<char> controlEscape(char letter) {
  switch (letter) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'a': return '\a';
    default: return std::nullopt;
  }
}

// Recursive descent; the first problem is kept and ends everything.
class RegexParser {
 public:
  explicit RegexParser(const std::string& pattern) : m_text(pattern) {}

  Result<std::shared_ptr<const PythonRegex::Program>> parse() {
    auto program = std::make_shared<PythonRegex::Program>();
    m_program = program.get();
    program->root = parseChoice(0);
    if (!m_problem && m_at < m_text.size()) fail("unbalanced parenthesis");
    if (m_problem)
      return badInput(fmt::format("'{}' is not a regular expression: {} at position {}", m_text, *m_problem, m_at));
    return std::shared_ptr<const PythonRegex::Program>(std::move(program));
  }

 private:
  bool atEnd() const { return m_at >= m_text.size() || m_problem; }
  char peek() const { return m_text[m_at]; }
  bool take(std::string_view word) {
    if (m_text.compare(m_at, word.size(), word) != 0) return false;
    m_at += word.size();
    return true;
  }
  void fail(std::string what) {
    if (!m_problem) m_problem = std::move(what);
  }

  NodePointer parseChoice(int depth) {
    auto choice = makeNode(Node::Kind::Choice);
    if (depth > kDeepest) {
      fail("nested too deeply");
      return choice;
    }
    choice->children.push_back(parseSequence(depth));
    while (!atEnd() && take("|")) choice->children.push_back(parseSequence(depth));
    return choice;
  }

  NodePointer parseSequence(int depth) {
    auto sequence = makeNode(Node::Kind::Sequence);
    while (!atEnd() && peek() != '|' && peek() != ')') {
      NodePointer atom = parseAtom(depth);
      if (m_problem) break;
      if (atom) sequence->children.push_back(parseRepeat(std::move(atom)));
    }
    return sequence;
  }

  // {m}, {m,}, {,n}, {m,n}; anything else after a brace is literal text.
  bool takeBraces(int& minimum, int& maximum) {
    std::size_t at = m_at + 1;
    const auto number = [&]() -> std::optional<int> {
      const std::size_t start = at;
      int value = 0;
      while (at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[at])) && value <= kMostRepeats)
        value = value * 10 + (m_text[at++] - '0');
      return at == start ? std::nullopt : std::optional<int>(value);
    };
    const auto low = number();
    const bool comma = at < m_text.size() && m_text[at] == ',';
    if (comma) ++at;
    const auto high = comma ? number() : low;
    if (at >= m_text.size() || m_text[at] != '}' || (!low && !high)) return false;
    minimum = low.value_or(0);
    maximum = high.value_or(-1);
    m_at = at + 1;
    return true;
  }

  NodePointer parseRepeat(NodePointer atom) {
    while (!atEnd()) {
      int minimum = 0, maximum = -1;
      if (peek() == '{') {
        if (!takeBraces(minimum, maximum)) return atom;
      } else if (take("+")) {
        minimum = 1;
      } else if (take("?")) {
        maximum = 1;
      } else if (!take("*")) {
        return atom;
      }
      if (minimum > kMostRepeats || maximum > kMostRepeats || (maximum >= 0 && maximum < minimum))
        fail("a repeat count out of range");
      if (atom->kind == Node::Kind::Repeat) fail("multiple repeat");
      auto repeat = makeNode(Node::Kind::Repeat);
      repeat->minimum = minimum;
      repeat->maximum = maximum;
      repeat->greedy = !take("?");
      repeat->children.push_back(std::move(atom));
      atom = std::move(repeat);
    }
    return atom;
  }

  NodePointer parseAtom(int depth) {
    const char c = m_text[m_at++];
    if (c == '(') return parseGroup(depth);
    if (c == '[') return parseClass();
    if (c == '\\') return parseEscape();
    if (c == '^') return makeNode(Node::Kind::Start);
    if (c == '$') return makeNode(Node::Kind::End);
    if (c == '*' || c == '+' || c == '?') fail("nothing to repeat");
    auto node = makeNode(Node::Kind::Set);
    if (c == '.') {
      node->set.set();
      node->set.reset('\n');
    } else {
      add(node->set, static_cast<unsigned char>(c));
    }
    return node;
  }

  NodePointer parseGroup(int depth) {
    auto node = makeNode(Node::Kind::Group);
    if (take("?")) {
      if (take("P<")) {
        node->group = ++m_program->groups;
        m_names[groupName('>')] = node->group;
      } else if (take("P=")) {
        node->kind = Node::Kind::Back;
        node->group = m_names[groupName(')')];
        if (node->group == 0) fail("unknown group name");
        return node;
      } else if (take("<=") || take("<!")) {
        return parseLook(depth, true, m_text[m_at - 1] == '!');
      } else if (take("=") || take("!")) {
        return parseLook(depth, false, m_text[m_at - 1] == '!');
      } else if (take("i)")) {
        m_program->ignoreCase = true;
        return nullptr;
      } else if (!take(":")) {
        fail("unsupported extension '(?'");
        return node;
      }
    } else {
      node->group = ++m_program->groups;
    }
    node->children.push_back(parseChoice(depth + 1));
    if (!take(")")) fail("missing )");
    return node;
  }

  NodePointer parseLook(int depth, bool behind, bool negated) {
    auto node = makeNode(Node::Kind::Look);
    node->behind = behind;
    node->negated = negated;
    node->children.push_back(parseChoice(depth + 1));
    if (!take(")")) fail("missing )");
    return node;
  }

  std::string groupName(char end) {
    const std::size_t close = m_text.find(end, m_at);
    if (close == std::string::npos) {
      fail("unterminated group name");
      return {};
    }
    const std::string name = m_text.substr(m_at, close - m_at);
    m_at = close + 1;
    return name;
  }

  NodePointer parseEscape() {
    if (atEnd()) {
      fail("a backslash at the end");
      return nullptr;
    }
    const char c = m_text[m_at++];
    if (c == 'A') return makeNode(Node::Kind::Start);
    if (c == 'Z') return makeNode(Node::Kind::AbsoluteEnd);
    if (c == 'b') return makeNode(Node::Kind::Boundary);
    if (c == 'B') return makeNode(Node::Kind::NoBoundary);
    auto node = makeNode(Node::Kind::Set);
    if (c >= '1' && c <= '9') {
      node->kind = Node::Kind::Back;
      node->group = c - '0';
      if (node->group > m_program->groups) fail("a back-reference to no group");
    } else if (const auto named = namedClass(c)) {
      node->set = *named;
    } else if (const auto control = controlEscape(c)) {
      add(node->set, static_cast<unsigned char>(*control));
    } else if (std::isalnum(static_cast<unsigned char>(c))) {
      fail(fmt::format("bad escape \\{}", c));
    } else {
      add(node->set, static_cast<unsigned char>(c));
    }
    return node;
  }

  // One character of a class, or the set of an escape such as \d.
  std::optional<int> classCharacter(std::bitset<256>& set) {
    char c = m_text[m_at++];
    if (c != '\\' || atEnd()) return static_cast<unsigned char>(c);
    c = m_text[m_at++];
    if (const auto named = namedClass(c)) {
      set |= *named;
      return std::nullopt;
    }
    if (c == 'b') return '\b';
    if (const auto control = controlEscape(c)) return static_cast<unsigned char>(*control);
    return static_cast<unsigned char>(c);
  }

  NodePointer parseClass() {
    auto node = makeNode(Node::Kind::Set);
    const bool negated = take("^");
    bool first = true;
    while (!atEnd() && (peek() != ']' || first)) {
      first = false;
      const auto low = classCharacter(node->set);
      if (!low) continue;
      int high = *low;
      if (m_at + 1 < m_text.size() && m_text[m_at] == '-' && m_text[m_at + 1] != ']') {
        ++m_at;
        high = classCharacter(node->set).value_or(-1);
        if (high < *low) fail("a bad character range");
      }
      for (int c = *low; c <= high; ++c) add(node->set, static_cast<unsigned char>(c));
    }
    if (!take("]")) fail("unterminated character set");
    if (negated) node->set.flip();
    return node;
  }

  void add(std::bitset<256>& set, unsigned char c) {
    set.set(c);
    if (!m_program->ignoreCase) return;
    set.set(static_cast<std::size_t>(std::tolower(c)));
    set.set(static_cast<std::size_t>(std::toupper(c)));
  }

  const std::string& m_text;
  std::size_t m_at = 0;
  std::optional<std::string> m_problem;
  PythonRegex::Program* m_program = nullptr;
  std::map<std::string, int> m_names;
};

}  // namespace

Result<std::shared_ptr<const PythonRegex::Program>> parseRegex(const std::string& pattern) {
  return RegexParser(pattern).parse();
}

}  // namespace roadtune::model
