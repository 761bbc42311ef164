// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/config/scalars.h"
#include "core/config/yaml_node.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace roadtune::config {
namespace {

constexpr std::size_t kLargestText = 1u << 20;
constexpr std::size_t kMostNodes = 50000;
constexpr std::size_t kDeepest = 32;

// Leaves the parser from inside an event; never leaves this file.
struct Refused : std::runtime_error {
  Refused(const YAML::Mark& at, const std::string& message) : std::runtime_error(message), mark(at) {}
  YAML::Mark mark;
};

std::size_t countNodes(const YamlNode& node) {
  std::size_t count = 1;
  for (const auto& item : node.items) count += countNodes(item);
  for (const auto& [key, value] : node.entries) count += countNodes(key) + countNodes(value);
  return count;
}

void markAliased(YamlNode& node) {
  node.aliased = true;
  for (auto& item : node.items) markAliased(item);
  for (auto& [key, value] : node.entries) {
    markAliased(key);
    markAliased(value);
  }
}

// Builds the tree from yaml-cpp's events. Open collections lie on a stack; a finished node joins the one below it.
class TreeBuilder : public YAML::EventHandler {
 public:
  YamlNode takeRoot() { return std::move(m_root); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    finish(make(mark, YamlNode::Kind::Null), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = m_anchors.find(anchor);
    if (known == m_anchors.end()) throw Refused(mark, "an alias (*name) stands inside its own anchor");
    m_nodes += countNodes(known->second);
    YamlNode copy = known->second;
    markAliased(copy);
    const YamlNode here = make(mark, copy.kind);
    copy.line = here.line, copy.column = here.column, copy.offset = here.offset;
    finish(std::move(copy), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = make(mark, YamlNode::Kind::Scalar);
    node.text = value;
    node.quoted = tag == "!";
    finish(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, YamlNode::Kind::List, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, YamlNode::Kind::Map, anchor, style);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::optional<YamlNode> key = {};
  };

  YamlNode make(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (++m_nodes > kMostNodes) throw Refused(mark, "more values than any configuration has");
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    node.offset = static_cast<std::size_t>(std::max(mark.pos, 0));
    return node;
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
    if (m_open.size() >= kDeepest) throw Refused(mark, "nested deeper than any configuration is");
    YamlNode node = make(mark, kind);
    node.flow = style == YAML::EmitterStyle::Flow;
    m_open.push_back({std::move(node), anchor, {}});
  }

  void close() {
    Open done = std::move(m_open.back());
    m_open.pop_back();
    finish(std::move(done.node), done.anchor);
  }

  void finish(YamlNode&& node, YAML::anchor_t anchor) {
    if (anchor) m_anchors[anchor] = node;
    if (m_open.empty()) {
      m_root = std::move(node);
      return;
    }
    Open& parent = m_open.back();
    if (parent.node.isList()) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.key) {
      parent.key = std::move(node);
    } else {
      parent.node.entries.emplace_back(std::move(*parent.key), std::move(node));
      parent.key.reset();
    }
  }

  YamlNode m_root;
  std::vector<Open> m_open;
  std::map<YAML::anchor_t, YamlNode> m_anchors;
  std::size_t m_nodes = 0;
};

YamlError errorAt(std::string_view text, std::size_t offset, std::string message, std::string hint) {
  const auto before = text.substr(0, offset);
  const auto lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          1 + static_cast<int>(offset - lineStart), std::move(message), std::move(hint)};
}

// What the parser must never see.
std::optional<YamlError> unsuitable(std::string_view text) {
  if (text.size() > kLargestText)
    return YamlError{1, 1, "larger than 1 MiB: this is not a configuration file", "name a YAML file"};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f)
      return errorAt(text, i, "a control character: this is not a text file", "name a YAML file in UTF-8");
  }
  const std::string valid = toValidUtf8(text);
  if (valid == text) return {};
  const auto difference = std::mismatch(text.begin(), text.end(), valid.begin(), valid.end());
  return errorAt(text, static_cast<std::size_t>(difference.first - text.begin()), "not UTF-8 text",
                 "save the file as UTF-8");
}

std::string hintFor(std::string_view text, int line) {
  const auto lines = split(text, '\n');
  const auto at = static_cast<std::size_t>(std::max(line - 1, 0));
  if (at < lines.size() && lines[at].find('\t') < lines[at].find_first_not_of(" \t"))
    return "indent with spaces, not with tabs";
  if (at < lines.size() && lines[at].find(':') == std::string::npos) return "write `key: value`";
  return "check the indentation, quotes and brackets of this line and the one above";
}

YamlTree parseChecked(std::string_view text) {
  YamlTree tree;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder;
    if (parser.HandleNextDocument(builder)) tree.root = builder.takeRoot();
    TreeBuilder second;
    if (parser.HandleNextDocument(second)) {
      const YamlNode extra = second.takeRoot();
      if (!extra.isNull())
        tree.error = YamlError{extra.line, extra.column, "a second document starts here",
                               "keep one, without `---` between keys"};
    }
  } catch (const Refused& refused) {
    tree.error = YamlError{refused.mark.line + 1, refused.mark.column + 1, refused.what(), "write it out plainly"};
  } catch (const YAML::Exception& error) {
    const int line = error.mark.line + 1;
    tree.error = YamlError{line, error.mark.column + 1, "not well-formed YAML: " + error.msg, hintFor(text, line)};
  } catch (const std::exception& error) {
    tree.error = YamlError{1, 1, std::string("not well-formed YAML: ") + error.what(), "check the file"};
  }
  return tree;
}

// "null" or "~" where it is written; yaml-cpp does not tell it from nothing at all.
std::string writtenNull(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r\n,]}#:"));
  const bool key = word.size() < text.size() && text[word.size()] == ':';
  return std::string(!key && isNullWord(word) ? word : std::string_view());
}

// yaml-cpp counts columns in bytes; people count characters.
class ColumnsInCharacters {
 public:
  ColumnsInCharacters(std::string_view text, std::size_t skipped) : m_text(text), m_skipped(skipped) {
    m_lineStarts.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') m_lineStarts.push_back(i + 1);
  }

  void fix(int line, int& column) const {
    if (line < 1 || static_cast<std::size_t>(line) > m_lineStarts.size() || column < 1) return;
    const std::string_view start =
        m_text.substr(m_lineStarts[static_cast<std::size_t>(line) - 1], static_cast<std::size_t>(column) - 1);
    column = 1 + static_cast<int>(std::count_if(start.begin(), start.end(), [](char c) { return (c & 0xc0) != 0x80; }));
  }

  void fix(YamlNode& node) const {
    fix(node.line, node.column);
    if (node.kind == YamlNode::Kind::Null && node.offset < m_text.size())
      node.text = writtenNull(m_text.substr(node.offset));
    node.offset += m_skipped;
    for (auto& item : node.items) fix(item);
    for (auto& [key, value] : node.entries) {
      fix(key);
      fix(value);
    }
  }

 private:
  std::string_view m_text;
  std::size_t m_skipped;
  std::vector<std::size_t> m_lineStarts;
};

}  // namespace

bool YamlNode::isNull() const { return kind == Kind::Null || (kind == Kind::Scalar && !quoted && isNullWord(text)); }

void clearPlaces(YamlNode& node) {
  node.line = node.column = 0;
  for (auto& item : node.items) clearPlaces(item);
  for (auto& [key, value] : node.entries) {
    clearPlaces(key);
    clearPlaces(value);
  }
}

YamlTree parseYaml(std::string_view text) {
  YamlTree tree;
  if (auto problem = unsuitable(text)) {
    tree.error = std::move(problem);
    return tree;
  }
  const std::size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // of byte order; editors on Windows write it
  tree = parseChecked(text.substr(mark));
  const ColumnsInCharacters columns(text.substr(mark), mark);
  if (tree.error) {
    tree.root = {};
    tree.error->line = std::max(tree.error->line, 1);
    tree.error->column = std::max(tree.error->column, 1);
    columns.fix(tree.error->line, tree.error->column);
  } else {
    columns.fix(tree.root);
  }
  return tree;
}

}  // namespace roadtune::config
