// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/model_state.h"

#include "core/engine/nn/ops.h"
#include "core/model/tiny_model.h"
#include "tests/support/temp_folder.h"

#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace roadtune::engine {
namespace {

std::unique_ptr<ModelState> loaded(const std::filesystem::path& folder, bool leaves) {
  LoadOptions options;
  options.folder = folder;
  options.leaves = leaves;
  options.method.type = model::FinetuningType::Full;
  auto model = loadModel(options);
  if (!model.ok()) throw std::runtime_error(model.error().text());
  return std::move(model).value();
}

TEST(LoadedModel, WeightsThatLeaveLieInTheFileUntilThen) {
  const testing::TempFolder folder;
  ASSERT_TRUE(model::writeTinyModel(folder.path(), {}).ok());
  const auto copied = loaded(folder.path(), false), lent = loaded(folder.path(), true);
  int inTheFile = 0;
  for (const auto& parameter : copied->parameters.all()) {
    const auto* other = lent->parameters.find(parameter->name);
    ASSERT_NE(other, nullptr) << parameter->name;
    EXPECT_TRUE(at::equal(parameter->value, other->value)) << parameter->name;
    EXPECT_TRUE(parameter->value.storage().resizable()) << parameter->name;
    inTheFile += !other->value.storage().resizable();
  }
  EXPECT_GT(inTheFile, 0.9 * static_cast<double>(copied->parameters.all().size()));
}

}  // namespace
}  // namespace roadtune::engine
