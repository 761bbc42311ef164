// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop/memory_words.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/engine/loop/planned_memory.h"
#include "core/engine/nn/tensor_memory.h"

#include <algorithm>

namespace roadtune::engine {
namespace {

constexpr std::size_t kNamedParts = 5;

bool isAboutMemory(const Error& error) {
  const std::string words = lower(error.what);
  return words.find("out of memory") != std::string::npos || words.find("allocate memory") != std::string::npos;
}

std::string bytesText(std::uint64_t bytes) { return formatBytes(static_cast<double>(bytes)); }

}  // namespace

Error withMemoryByPart(const Session& session, Error error) {
  if (!isAboutMemory(error) || !session.model) return error;
  const auto shape = stepShapeOf(session);
  const auto plan = model::planMemory(session.model->tree, shape);
  auto items = plan.items;
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(kNamedParts, items.size()) && items[i].bytes > 0; ++i)
    parts.push_back(items[i].label + " " + bytesText(items[i].bytes));
  error.what += "; by plan a rank holds " + bytesText(plan.total()) + ": " + join(parts, ", ") + "; it held " +
                formatBytes(static_cast<double>(tensorMemory().peak)) + " at most in this step";
  if (error.hint.empty())
    error.hint = std::string("a smaller per_device_train_batch_size with more accumulation, ") +
                 (plan.bytesOf("optimizer") > plan.total() / 8 && !shape.eightBitMoments ? "optim: adamw_8bit, " : "") +
                 (plan.bytesOf("masters") > plan.total() / 8 && !shape.pureBf16 ? "pure_bf16: true, " : "") +
                 "gradient_checkpointing: true, or qlora";
  return error;
}

}  // namespace roadtune::engine
