// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/class_list.h"

#include <gmock/gmock.h>

namespace roadtune::data {
namespace {

using ::testing::ElementsAre;

TEST(TypedNames, AreReadBackWithTheirCommas) {
  EXPECT_THAT(namesIn("car, dog ,,cat"), ElementsAre("car", "dog", "cat"));
  EXPECT_THAT(namesIn(R"("Car, small",dog)"), ElementsAre("Car, small", "dog"));
  EXPECT_EQ(typedNames({"Car, small", "dog"}), R"("Car, small",dog)");
  EXPECT_THAT(namesIn(typedNames({"a", "b, c", "d"})), ElementsAre("a", "b, c", "d"));
  EXPECT_TRUE(namesIn("").empty());
}

}  // namespace
}  // namespace roadtune::data
