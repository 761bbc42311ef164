// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/variants.h"

#include "core/base/text.h"
#include "core/config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace roadtune::config {
namespace {

constexpr std::size_t kLongestValueName = 40, kLongestName = 160;

struct Varied {
  std::string key;
  std::vector<std::string> values;
};

std::vector<std::string> splitValues(std::string_view text) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (c == ',' && depth == 0 && quote == 0) {
      values.emplace_back();
      continue;
    }
    if (quote != 0)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else
      depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    values.back() += c;
  }
  for (std::string& value : values) value = std::string(trim(value));
  return values;
}

Result<Varied> readVaried(const std::string& text) {
  const auto equals = text.find('=');
  Varied varied{std::string(trim(text.substr(0, equals))), {}};
  if (equals != std::string::npos && !varied.key.empty())
    for (std::string& value : splitValues(std::string_view(text).substr(equals + 1)))
      if (std::find(varied.values.begin(), varied.values.end(), value) == varied.values.end())
        varied.values.push_back(std::move(value));
  const bool gap = std::find(varied.values.begin(), varied.values.end(), "") != varied.values.end();
  if (varied.values.empty() || gap)
    return badInput(varied.values.size() > 1 ? "a value is missing between two commas" : "there are no values to vary",
                    text, (varied.key.empty() ? "learning_rate" : varied.key) + "=1e-5,2e-5");
  return varied;
}

// As it may stand in the name of a folder; of a path its last part.
std::string nameOf(const std::string& value) {
  std::string name = value.substr(
      value.find_last_not_of('/') == std::string::npos ? 0 : value.rfind('/', value.find_last_not_of('/')) + 1);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("._+-").find(c) == std::string_view::npos)
      c = '-';
  name.erase(0, name.find_first_not_of('-') == std::string::npos ? 0 : name.find_first_not_of('-'));
  name.erase(name.find_last_not_of('-') + 1);
  return name.substr(0, kLongestValueName);
}

bool isVaried(const Variant& variant, std::string_view field) {
  return std::any_of(variant.overrides.begin(), variant.overrides.end(), [field](const std::string& one) {
    const Field* found = findField(one.substr(0, one.find('=')));
    return found && found->name == field;
  });
}

}  // namespace

Result<std::vector<Variant>> variantsOf(const std::vector<std::string>& varied) {
  std::vector<Variant> variants(1);
  std::set<std::string> keys;
  for (const std::string& text : varied) {
    ROADTUNE_TRY(const Varied one, readVaried(text));
    const Field* field = findField(one.key);
    if (!keys.insert(field ? field->name : one.key).second)
      return badInput("is varied twice", one.key, "name all its values at once: " + one.key + "=...,...");
    std::vector<Variant> next;
    if (variants.size() * one.values.size() > kMostVariants)
      return badInput(fmt::format("these are more than {} runs", kMostVariants), text, "vary less at a time");
    for (const Variant& before : variants)
      for (const std::string& value : one.values) {
        Variant more = before;
        more.overrides.push_back(one.key + "=" + value);
        more.name += (more.name.empty() ? "" : "_") + nameOf(one.key) + "=" + nameOf(value);
        next.push_back(std::move(more));
      }
    variants = std::move(next);
  }
  std::set<std::string> names;
  for (Variant& variant : variants) {
    variant.name = variant.name.substr(0, kLongestName);
    const std::string plain = variant.name;
    for (int again = 2; !names.insert(variant.name).second; ++again) variant.name = fmt::format("{}-{}", plain, again);
  }
  return variants;
}

Result<std::vector<std::vector<std::string>>> overridesOfVariants(const Document& document,
                                                                  const ResolveOptions& options,
                                                                  const std::vector<Variant>& variants) {
  std::vector<std::vector<std::string>> all;
  for (const Variant& variant : variants) {
    ResolveOptions own = options;
    own.overrides.insert(own.overrides.end(), variant.overrides.begin(), variant.overrides.end());
    Resolution resolution = resolve(document, own);
    if (!resolution.config) {
      std::erase_if(resolution.problems, [](const Problem& problem) { return problem.severity == Severity::Warning; });
      return badInput(toText(resolution.problems));
    }
    for (const char* field : {"output_dir", "run_name"}) {
      const std::string base = resolution.config->text(field);
      if (!variant.name.empty() && !base.empty() && !isVaried(variant, field))
        own.overrides.push_back(fmt::format("{}={}_{}", field, base, variant.name));
    }
    all.push_back(std::move(own.overrides));
  }
  return all;
}

}  // namespace roadtune::config
