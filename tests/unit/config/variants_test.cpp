// SPDX-License-Identifier: GPL-3.0-or-later
// Several runs from one configuration.
#include "core/config/variants.h"

#include "tests/unit/config/support.h"

namespace roadtune::config {
namespace {

std::vector<std::string> namesOf(const std::vector<std::string>& varied) {
  const auto variants = variantsOf(varied);
  EXPECT_TRUE(variants.ok()) << variants.error().text();
  std::vector<std::string> names;
  for (const Variant& one : variants.valueOr({})) names.push_back(one.name);
  return names;
}

TEST(Variants, AreEveryCombinationOfTheValues) {
  const auto variants = variantsOf({"lr=1e-5, 2e-5", "target_modules=[q_proj, v_proj],'a,b'"});
  ASSERT_TRUE(variants.ok());
  ASSERT_EQ(variants.value().size(), 4u);
  EXPECT_EQ(variants.value()[1].overrides, (std::vector<std::string>{"lr=1e-5", "target_modules='a,b'"}));
  EXPECT_EQ(variants.value()[2].overrides, (std::vector<std::string>{"lr=2e-5", "target_modules=[q_proj, v_proj]"}));
  EXPECT_EQ(variants.value()[2].name, "lr=2e-5_target_modules=q_proj--v_proj");
  EXPECT_EQ(namesOf({}), std::vector<std::string>{""});
  EXPECT_EQ(namesOf({"seed=1,1,2"}), (std::vector<std::string>{"seed=1", "seed=2"}));
}

TEST(Variants, HaveNamesThatFoldersCanHave) {
  EXPECT_EQ(namesOf({"model_name_or_path=/models/a/,b/c"}),
            (std::vector<std::string>{"model_name_or_path=a", "model_name_or_path=c"}));
  EXPECT_EQ(namesOf({"model_name_or_path=/x/a,/y/a,/"}),
            (std::vector<std::string>{"model_name_or_path=a", "model_name_or_path=a-2", "model_name_or_path="}));
  for (const std::string& name : namesOf({"run_name=" + std::string(500, 'x') + ",é \t*?"})) {
    EXPECT_LT(name.size(), 100u);
    EXPECT_EQ(name.find_first_of("/ \t*?"), std::string::npos) << name;
  }
}

TEST(Variants, SayWhatIsWrong) {
  const auto what = [](const std::vector<std::string>& varied) {
    const auto variants = variantsOf(varied);
    return variants.ok() ? "" : variants.error().what;
  };
  EXPECT_EQ(what({"seed"}), "there are no values to vary");
  EXPECT_EQ(what({"=1,2"}), "there are no values to vary");
  EXPECT_EQ(what({"seed="}), "there are no values to vary");
  EXPECT_EQ(what({"seed=1,,2"}), "a value is missing between two commas");
  EXPECT_EQ(what({"lr=1", "learning_rate=2"}), "is varied twice") << "an alias";
  std::string hundred = "1";
  for (int i = 2; i <= 100; ++i) hundred += "," + std::to_string(i);
  EXPECT_EQ(what({"seed=" + hundred, "r=8,16"}), "");
  EXPECT_EQ(what({"seed=" + hundred, "r=8,16,32"}), "these are more than 200 runs");
}

TEST(Variants, HaveFoldersAndNamesOfTheirOwn) {
  const std::string text = "model_name_or_path: m\ntrain_data: t.jsonl\noutput_dir: out\n";
  const auto of = [](const std::string& yaml, const std::vector<std::string>& varied) {
    return overridesOfVariants(fileWith(yaml), {.overrides = {"seed=5"}}, variantsOf(varied).value());
  };
  const auto plain = of(text, {"r=8,16"});
  ASSERT_TRUE(plain.ok()) << plain.error().text();
  EXPECT_EQ(plain.value()[1], (std::vector<std::string>{"seed=5", "r=16", "output_dir=/project/out_r=16"}));
  const auto named = of(text + "run_name: night\n", {"r=8"});
  EXPECT_EQ(named.value()[0].back(), "run_name=night_r=8");
  EXPECT_EQ(of(text, {"output_dir=/a,/b"}).value()[1], (std::vector<std::string>{"seed=5", "output_dir=/b"}));
  EXPECT_EQ(of(text, {}).value(), (std::vector<std::vector<std::string>>{{"seed=5"}}));
  const auto wrong = of(text, {"r=8,none"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().text().find("r: "), std::string::npos) << wrong.error().text();
}

}  // namespace
}  // namespace roadtune::config
