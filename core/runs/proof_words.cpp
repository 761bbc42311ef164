// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/proof_words.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <array>
#include <cmath>
#include <limits>

namespace roadtune::runs {

double ProofInfo::number(std::string_view key) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

namespace {

enum class Unit { Number, Count, Bytes, Seconds, Rate };

struct Fact {
  const char* key;
  const char* label;
  Unit unit;
  const char* of = nullptr;  // "20,000 of 990,412"
  bool evenIfZero = true;
};

struct Kind {
  const char* name;
  const char* title;
  std::array<Fact, 4> facts;
};

constexpr std::array<Kind, 7> kKinds{{
    {"samples",
     "Longest samples",
     {{{"tokens", "tokens", Unit::Count},
       {"looked", "samples looked at", Unit::Count, "of"},
       {"too_long", "too long, left out", Unit::Count, nullptr, false}}}},
    {"step",
     "Training step",
     {{{"loss", "loss", Unit::Number},
       {"grad_norm", "gradient norm", Unit::Number},
       {"trained", "trained tensors", Unit::Count},
       {"memory_peak", "memory", Unit::Bytes, "memory_total"}}}},
    {"pace",
     "Pace",
     {{{"step_s", "a step", Unit::Seconds}, {"samples_per_s", "throughput", Unit::Rate, nullptr, false}}}},
    {"evaluation",
     "Evaluation",
     {{{"loss", "loss", Unit::Number}, {"tokens", "tokens", Unit::Count}, {"memory_peak", "memory", Unit::Bytes}}}},
    {"predictions", "Predictions", {{{"samples", "samples", Unit::Count, "of"}}}},
    {"checkpoint",
     "Checkpoint",
     {{{"bytes", "size", Unit::Bytes},
       {"write_s", "written in", Unit::Seconds},
       {"read_s", "read back in", Unit::Seconds}}}},
    {"forecast",
     "The whole run",
     {{{"total_steps", "steps", Unit::Count},
       {"total_s", "time", Unit::Seconds},
       {"kept_checkpoints", "checkpoints kept", Unit::Count},
       {"disk_need", "disk", Unit::Bytes, "disk_free"}}}},
}};

const Kind* kindOf(const std::string& name) {
  for (const auto& kind : kKinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

std::string inWords(double value, Unit unit) {
  switch (unit) {
    case Unit::Number: return formatNumber(value);
    case Unit::Count: return formatCount(std::llround(value));
    case Unit::Bytes: return formatBytes(value);
    case Unit::Seconds: return formatDuration(value);
    case Unit::Rate: return formatRate(value, "samples");
  }
  return {};
}

}  // namespace

ProofWords wordsOf(const ProofInfo& proof) {
  const Kind* kind = kindOf(proof.name);
  if (!kind) return {proof.name, {}};
  ProofWords words{kind->title, {}};
  for (const auto& fact : kind->facts) {
    if (!fact.key) continue;
    const double value = proof.number(fact.key);
    const bool told = proof.numbers.contains(fact.key) && (fact.evenIfZero || value != 0);
    if (!told) continue;
    std::string text = inWords(value, fact.unit);
    if (const double of = fact.of ? proof.number(fact.of) : 0; of > 0) text += " / " + inWords(of, fact.unit);
    words.facts.emplace_back(fact.label, std::move(text));
  }
  if (!proof.sample.empty()) words.facts.emplace_back("sample", proof.sample);
  return words;
}

std::vector<std::string> allProofWords() {
  std::vector<std::string> all{"sample"};
  for (const auto& kind : kKinds) {
    all.emplace_back(kind.title);
    for (const auto& fact : kind.facts)
      if (fact.label) all.emplace_back(fact.label);
  }
  return all;
}

std::string sentence(const ProofWords& words) {
  std::vector<std::string> parts;
  for (const auto& [label, value] : words.facts) parts.push_back(label + " " + value);
  return join(parts, ", ");
}

}  // namespace roadtune::runs
