// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/xml_element.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace roadtune::data {
namespace {

constexpr int kDeepest = 64;

// "#228", "#xe4": the character in UTF-8.
std::optional<std::string> characterOf(std::string_view number) {
  const bool hex = number.size() > 1 && (number[1] == 'x' || number[1] == 'X');
  number.remove_prefix(hex ? 2 : 1);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), code, hex ? 16 : 10);
  if (error != std::errc() || end != number.data() + number.size() || code == 0 || code > 0x10ffff) return std::nullopt;
  if (code >= 0xd800 && code < 0xe000) return std::nullopt;  // half of a pair: no character
  const auto more = [code](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  if (code < 0x800) return std::string{static_cast<char>(0xc0 | (code >> 6)), more(0)};
  if (code < 0x10000) return std::string{static_cast<char>(0xe0 | (code >> 12)), more(6), more(0)};
  return std::string{static_cast<char>(0xf0 | (code >> 18)), more(12), more(6), more(0)};
}

bool isNameEnd(char c) { return c == '>' || c == '/' || c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class XmlScanner {
 public:
  explicit XmlScanner(std::string_view document) : m_all(document) {
    if (m_all.starts_with("\xef\xbb\xbf")) m_at = 3;
  }

  Result<XmlElement> document() {
    ROADTUNE_CHECK(passProlog());
    if (!at("<")) return wrong("no element begins here");
    XmlElement root;
    ROADTUNE_CHECK(read(root, 0));
    ROADTUNE_CHECK(passProlog());
    if (m_at < m_all.size()) return wrong("something stands behind the document's end");
    return root;
  }

 private:
  Error wrong(const std::string& what) const { return badInput(fmt::format("byte {}: {}", m_at, what)); }
  bool at(std::string_view word) const { return m_all.substr(m_at).starts_with(word); }

  // Behind the next `end`; false where there is none.
  bool passTo(std::string_view end) {
    const auto found = m_all.find(end, m_at);
    if (found == std::string_view::npos) return false;
    m_at = found + end.size();
    return true;
  }

  void passBlanks() { m_at = std::min(m_all.find_first_not_of(" \t\r\n", m_at), m_all.size()); }

  // What may stand before and behind the root: blanks, the declaration, comments, a document type.
  Status passProlog() {
    for (passBlanks(); m_at < m_all.size(); passBlanks()) {
      const char* end = at("<?") ? "?>" : at("<!--") ? "-->" : at("<!DOCTYPE") ? ">" : nullptr;
      if (!end) break;
      const std::size_t begin = m_at;
      if (!passTo(end)) return wrong("it never ends");
      const bool type = m_all[begin + 2] == 'D';
      if (type && m_all.substr(begin, m_at - begin).find('[') != std::string_view::npos)
        return wrong("a document type with declarations of its own is not taken");
    }
    return {};
  }

  // The opening tag, whose attributes are passed over. True when it closes itself.
  Result<bool> open(XmlElement& element) {
    const std::size_t begin = ++m_at;
    while (m_at < m_all.size() && !isNameEnd(m_all[m_at])) ++m_at;
    element.name = m_all.substr(begin, m_at - begin);
    if (element.name.empty()) return wrong("an element without a name");
    for (char quote = 0; m_at < m_all.size(); ++m_at) {
      const char c = m_all[m_at];
      if (quote) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        const bool closed = m_all[m_at - 1] == '/';
        ++m_at;
        return closed;
      }
    }
    return wrong("<" + element.name + "> is not closed");
  }

  Status read(XmlElement& element, int depth) {
    if (depth > kDeepest) return wrong("elements lie too deep");
    ROADTUNE_TRY(const bool closed, open(element));
    while (!closed) {
      if (m_at >= m_all.size()) return wrong("<" + element.name + "> has no end");
      if (at("</")) return close(element);
      if (at("<!--") || at("<?")) {
        if (!passTo(at("<?") ? "?>" : "-->")) return wrong("it never ends");
      } else if (at("<![CDATA[")) {
        const std::size_t begin = m_at + 9;
        if (!passTo("]]>")) return wrong("it never ends");
        element.text += m_all.substr(begin, m_at - 3 - begin);
      } else if (at("<")) {
        ROADTUNE_CHECK(read(element.children.emplace_back(), depth + 1));
      } else {
        ROADTUNE_CHECK(words(element.text));
      }
    }
    return {};
  }

  Status close(XmlElement& element) {
    m_at += 2;
    const std::size_t begin = m_at;
    if (!passTo(">")) return wrong("a closing tag never ends");
    const std::string_view name = trim(m_all.substr(begin, m_at - 1 - begin));
    if (name != element.name) return wrong(fmt::format("</{}> closes <{}>", name, element.name));
    element.text = trim(element.text);
    return {};
  }

  Status words(std::string& text) {
    const std::size_t end = std::min(m_all.find_first_of("<&", m_at), m_all.size());
    text += m_all.substr(m_at, end - m_at);
    m_at = end;
    if (!at("&")) return {};
    const auto semicolon = m_all.find(';', m_at);
    const std::string_view name =
        semicolon == std::string_view::npos ? "" : m_all.substr(m_at + 1, semicolon - m_at - 1);
    const auto character = name.starts_with('#') ? characterOf(name)
                           : name == "lt"        ? std::optional<std::string>("<")
                           : name == "gt"        ? std::optional<std::string>(">")
                           : name == "amp"       ? std::optional<std::string>("&")
                           : name == "quot"      ? std::optional<std::string>("\"")
                           : name == "apos"      ? std::optional<std::string>("'")
                                                 : std::nullopt;
    if (!character) return wrong("an unknown entity");
    text += *character;
    m_at = semicolon + 1;
    return {};
  }

  std::string_view m_all;
  std::size_t m_at = 0;
};

}  // namespace

const XmlElement* XmlElement::child(std::string_view called) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const XmlElement& element) { return element.name == called; });
  return found == children.end() ? nullptr : &*found;
}

std::string XmlElement::textOf(std::string_view called) const {
  const XmlElement* found = child(called);
  return found ? found->text : std::string();
}

Result<XmlElement> parseXml(std::string_view document) {
  if (isValidUtf8(document)) return XmlScanner(document).document();
  std::string text;  // ISO 8859-1, mostly: every byte is a character
  for (const char c : document) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) text += static_cast<char>(0xc0 | (byte >> 6));
    text += byte < 0x80 ? c : static_cast<char>(0x80 | (byte & 0x3f));
  }
  return XmlScanner(text).document();
}

}  // namespace roadtune::data
