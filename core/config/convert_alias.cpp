// SPDX-License-Identifier: GPL-3.0-or-later
// Values of other trainers' keys, in our words.
#include "core/base/text.h"
#include "core/config/convert.h"
#include "core/config/scalars.h"

#include <fmt/format.h>

namespace roadtune::config {

std::optional<Value> Converter::viaAlias(const Target& target, AliasRule rule) {
  switch (rule) {
    case AliasRule::Bits: return fromBits(target);
    case AliasRule::Inverted: {
      const auto value = scalar(target, FieldType::Flag);
      return value ? std::optional<Value>(!value->flag()) : std::nullopt;
    }
    case AliasRule::Adapter: {
      if (target.node.isNull() || (target.node.isScalar() && target.node.text.empty())) return Value("full");
      return scalar(target, FieldType::Choice);
    }
    case AliasRule::AllLinear: {
      auto value = target.node.isNull() ? std::optional<Value>(Value()) : textOrList(target);
      return value && value->isText() && lower(value->text()) == "all" ? Value("all-linear") : value;
    }
    case AliasRule::AllTargets: {
      if (target.node.isNull()) return Value();
      const auto value = scalar(target, FieldType::Flag);
      if (!value) return {};
      return value->flag() ? Value("all-linear") : Value();
    }
    case AliasRule::OnlyOne: return onlyOne(target);
    case AliasRule::Sampling: return fromSampling(target);
    case AliasRule::Same: break;
  }
  return plain(target);
}

// ms-swift's adapters.
std::optional<Value> Converter::onlyOne(const Target& target) {
  if (!target.node.isList()) return plain(target);
  const auto& items = target.node.items;
  if (items.empty()) return Value();
  if (items.size() == 1) return plain({target.field, target.spelled, items.front()});
  return report(target, fmt::format("names {}; a run starts from one", items.size()), "one folder");
}

// That of TrainingArguments.
std::optional<Value> Converter::fromSampling(const Target& target) {
  const std::string word = target.node.isScalar() ? lower(target.node.text) : "";
  if (word == "random" || word == "sequential") return Value(word == "random");
  if (word == "group_by_length") return report(target, "samples are not sorted by length", "random or sequential");
  return report(target, "is not one of its words", "random or sequential");
}

// LLaMA-Factory's quantization_bit and ms-swift's quant_bits.
std::optional<Value> Converter::fromBits(const Target& target) {
  if (target.node.isNull()) return Value(false);
  const auto bits = target.node.isScalar() ? parseInteger(target.node.text) : std::nullopt;
  if (!bits) return wrongType(target, FieldType::Integer);
  if (*bits == 0) return Value(false);
  if (*bits == 4) return Value(true);
  return report(target, fmt::format("{}-bit weights are not offered", *bits), "4");
}

}  // namespace roadtune::config
