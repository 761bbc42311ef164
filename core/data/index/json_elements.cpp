// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/json_elements.h"

#include "core/base/mapped_file.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>
#include <vector>

namespace roadtune::data {

namespace {

using nlohmann::json;

// The letters around a place, as "NaN" in "[1,NaN]".
std::string_view wordAt(std::string_view text, std::size_t place) {
  const auto isLetter = [&](std::size_t i) { return std::isalpha(static_cast<unsigned char>(text[i])) != 0; };
  if (place >= text.size() || !isLetter(place)) return {};
  constexpr std::size_t kLongest = 20;
  std::size_t begin = place, end = place;
  while (begin > 0 && place - begin < kLongest && isLetter(begin - 1)) --begin;
  while (end < text.size() && end - place < kLongest && isLetter(end)) ++end;
  return text.substr(begin, end - begin);
}

// Why the parser stopped after `read` bytes, without the excerpt it adds: that may be long, or no text at all.
std::string reasonOf(const json::exception& error, std::string_view text, std::size_t read) {
  std::string reason = error.what();
  if (const auto excerpt = reason.find("; last read"); excerpt != std::string::npos) reason.resize(excerpt);
  if (const auto dash = reason.find(" - "); dash != std::string::npos) reason.erase(0, dash + 3);
  const bool noValue = reason.starts_with("invalid literal") || reason.starts_with("invalid number");
  const std::string_view word = noValue && read > 0 ? wordAt(text, read - 1) : std::string_view();
  return word.empty() ? reason : fmt::format("{} is no value of JSON", word);
}

// Builds one element at a time: depth 1 is inside the top value, depth 2 inside a visited array.
class ElementSax : public nlohmann::json_sax<json> {
 public:
  ElementSax(const std::map<std::string, ElementVisitor>& visitors, std::string_view text)
      : m_visitors(visitors), m_text(text) {}

  bool null() override { return value(nullptr); }
  bool boolean(bool v) override { return value(v); }
  bool number_integer(number_integer_t v) override { return value(v); }
  bool number_unsigned(number_unsigned_t v) override { return value(v); }
  bool number_float(number_float_t v, const string_t&) override { return value(v); }
  bool string(string_t& v) override { return value(std::move(v)); }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (m_depth == 1) {
      const auto found = m_visitors.find(name);
      m_visitor = found == m_visitors.end() ? nullptr : &found->second;
      m_key = name;
      m_expectArray = m_visitor != nullptr;
      m_met += m_expectArray;
    } else if (!m_stack.empty()) {
      m_keys.back() = name;
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    m_what = fmt::format("is not valid JSON near byte {} ({})", position, reasonOf(error, m_text, position));
    return false;
  }

  const std::string& what() const { return m_what; }
  bool stopped() const { return m_stopped; }
  std::size_t met() const { return m_met; }

 private:
  // Inside a visited array, at the level of its elements.
  bool atElements() const { return m_visitor && m_stack.empty() && m_depth == m_elementDepth; }

  bool value(json v) {
    if (m_depth == 0) return wrongShape("a JSON object or array is expected");
    if (m_expectArray) return wrongShape("\"" + m_key + "\" is not an array");
    if (!m_stack.empty()) {
      put(std::move(v));
      return true;
    }
    return atElements() ? visit(v) : true;
  }

  bool open(json container) {
    const bool isArray = container.is_array();
    if (m_depth == 0 && isArray) {
      const auto found = m_visitors.find("");
      m_visitor = found == m_visitors.end() ? nullptr : &found->second;
      m_elementDepth = 1;
    } else if (m_expectArray) {
      if (!isArray) return wrongShape("\"" + m_key + "\" is not an array");
      m_expectArray = false;
      m_elementDepth = 2;
    } else if (!m_stack.empty() || atElements()) {
      m_stack.push_back(std::move(container));
      m_keys.emplace_back();
    }
    ++m_depth;
    return true;
  }

  bool close() {
    --m_depth;
    if (m_stack.empty()) {
      if (m_visitor && m_depth < m_elementDepth) m_visitor = nullptr;
      return true;
    }
    json done = std::move(m_stack.back());
    m_stack.pop_back();
    m_keys.pop_back();
    if (!m_stack.empty()) {
      put(std::move(done));
      return true;
    }
    return visit(done);
  }

  void put(json v) {
    json& parent = m_stack.back();
    if (parent.is_array())
      parent.push_back(std::move(v));
    else
      parent[m_keys.back()] = std::move(v);
  }

  bool visit(json& element) {
    if ((*m_visitor)(element)) return true;
    m_stopped = true;
    return false;
  }

  bool wrongShape(std::string what) {
    m_what = std::move(what);
    return false;
  }

  const std::map<std::string, ElementVisitor>& m_visitors;
  const std::string_view m_text;
  const ElementVisitor* m_visitor = nullptr;
  std::string m_key, m_what;
  std::vector<json> m_stack;
  std::vector<std::string> m_keys;
  std::size_t m_met = 0;
  int m_depth = 0, m_elementDepth = 2;
  bool m_expectArray = false, m_stopped = false;
};

}  // namespace

Status forEachElement(const std::filesystem::path& file, const std::map<std::string, ElementVisitor>& visitors,
                      std::size_t* met) {
  ROADTUNE_TRY(const MappedFile mapped, MappedFile::open(file, MappedFile::Access::Sequential));
  if (mapped.size() == 0) return badInput("the file is empty", file.string());
  const std::string_view text = mapped.text();
  ElementSax sax(visitors, text);
  const bool whole = json::sax_parse(text.begin(), text.end(), &sax);
  if (met) *met = sax.met();
  if (whole || sax.stopped()) return {};
  return badInput(sax.what().empty() ? "is not valid JSON" : sax.what(), file.string());
}

bool isJsonArray(const std::filesystem::path& file) {
  const Result<MappedFile> mapped = MappedFile::open(file);
  if (!mapped.ok()) return false;
  const std::string_view text = mapped.value().text();
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && text[first] == '[';
}

}  // namespace roadtune::data
