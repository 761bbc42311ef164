// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/yolo_config.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <cctype>
#include <charconv>

namespace roadtune::data {

namespace {

constexpr std::uintmax_t kLargestConfig = 1 << 20;

// Without a comment, quotes and blanks around it.
std::string plainScalar(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) {
    const auto end = text.find(text.front(), 1);
    return std::string(text.substr(1, end == text.npos ? text.npos : end - 1));
  }
  const auto comment = text.find(" #");
  return std::string(trim(text.substr(0, comment)));
}

// "[a, 'b']"
std::vector<std::string> inlineList(const std::string& text) {
  std::vector<std::string> items;
  const auto end = text.rfind(']');
  for (const std::string& item : split(text.substr(1, end == text.npos ? text.npos : end - 1), ','))
    if (std::string plain = plainScalar(item); !plain.empty()) items.push_back(std::move(plain));
  return items;
}

class YoloConfigReader {
 public:
  void addLine(std::string_view line) {
    if (trim(line).empty() || trim(line).front() == '#') return;
    const bool nested = std::isspace(static_cast<unsigned char>(line.front())) || trim(line).starts_with("- ");
    nested ? addNested(trim(line)) : addTop(line);
  }
  YoloConfig take() { return std::move(m_config); }

 private:
  void addTop(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == line.npos) return;
    m_key = std::string(trim(line.substr(0, colon)));
    if (m_key == "valid") m_key = "val";
    const std::string rest(trim(line.substr(colon + 1)));
    if (rest.empty() || rest.front() == '#') return;
    if (rest.front() == '[') {
      for (const std::string& item : inlineList(rest)) addValue(item);
    } else if (rest.front() == '{') {
      for (const std::string& item : split(rest.substr(1, rest.rfind('}') - 1), ',')) addNested(trim(item));
    } else {
      addValue(plainScalar(rest));
    }
  }

  void addNested(std::string_view line) {
    if (line.starts_with("-")) return addValue(plainScalar(line.substr(1)));
    const auto colon = line.find(':');
    if (m_key != "names" || colon == line.npos) return;
    std::size_t number = 0;
    const std::string digits = plainScalar(line.substr(0, colon));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size())
      m_config.names[number] = plainScalar(line.substr(colon + 1));
  }

  void addValue(const std::string& value) {
    if (m_key == "path") m_config.path = value;
    if (m_key == "names") m_config.names.emplace(m_config.names.size(), value);
    if (m_key == "train" || m_key == "val" || m_key == "test") m_config.places[m_key].push_back(value);
  }

  std::string m_key;
  YoloConfig m_config;
};

}  // namespace

Result<YoloConfig> readYoloConfig(const fs::path& file) {
  std::error_code code;
  if (fs::file_size(file, code) > kLargestConfig || code) return badInput("is no data.yaml", file.string());
  ROADTUNE_TRY(const std::string text, readFile(file));
  YoloConfigReader reader;
  for (const std::string& line : split(text, '\n')) reader.addLine(line);
  YoloConfig config = reader.take();
  if (config.names.empty() || config.places.empty())
    return badInput("names no classes or no pictures", file.string(), "a data.yaml has names, train and val");
  return config;
}

}  // namespace roadtune::data
