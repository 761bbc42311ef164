// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/adapter_config.h"

#include "core/config/resolve.h"
#include "core/model/tiny_model.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace roadtune::model {
namespace {

TEST(AdapterConfig, NarrowedTargetsAreListedSoThatPeftBuildsTheSame) {
  Method method;
  method.type = FinetuningType::Lora;
  method.targets.names = {"q_proj"};
  const auto config = tinyConfig({});
  const auto plain = nlohmann::json::parse(adapterConfigText(buildModuleTree(config, method).value(), "base"));
  EXPECT_EQ(plain["target_modules"], nlohmann::json({"q_proj"}));
  method.rules = {{.path = "vision_tower", .mode = ModuleMode::Frozen}};
  const auto narrowed = nlohmann::json::parse(adapterConfigText(buildModuleTree(config, method).value(), "base"));
  for (const auto& name : narrowed["target_modules"])
    EXPECT_TRUE(name.get<std::string>().starts_with("language_model.layers.")) << name;
}

TEST(AdapterConfig, AFolderWhoseNameIsNoUtf8IsWrittenAllTheSame) {
  Method method;
  method.type = FinetuningType::Lora;
  method.targets.names = {"q_proj"};
  const auto text = adapterConfigText(buildModuleTree(tinyConfig({}), method).value(), "/models/caf\xe9");
  EXPECT_EQ(nlohmann::json::parse(text)["base_model_name_or_path"], "/models/caf\xef\xbf\xbd");
}

TEST(AdapterConfig, ReadsItsOwnWordsAndRefusesOtherMethods) {
  const testing::TempFolder folder;
  folder.write("adapter_config.json", R"({"peft_type": "LORA", "r": 4, "lora_alpha": 16, "target_modules": "all-linear",
    "use_rslora": true, "rank_pattern": {"q_proj": 2}, "modules_to_save": null})");
  const auto method = readAdapterConfig(folder.path());
  ASSERT_TRUE(method.ok()) << method.error().text();
  EXPECT_EQ(method.value().r, 4);
  EXPECT_TRUE(method.value().targets.allLinear);
  EXPECT_TRUE(method.value().rslora);
  EXPECT_EQ(method.value().rankPattern.at(0).second, 2);
  folder.write("adapter_config.json", R"({"peft_type": "IA3"})");
  EXPECT_FALSE(readAdapterConfig(folder.path()).ok());
  folder.write("adapter_config.json", R"({"peft_type": "LORA", "r": "four"})");
  EXPECT_FALSE(readAdapterConfig(folder.path()).ok());
}

TEST(AdapterConfig, AValueOfTheWrongKindIsNamedWithItsKeyAndWhatIsExpected) {
  const testing::TempFolder folder;
  const auto path = (folder / "adapter_config.json").string();
  for (const auto& [written, said] : std::vector<std::pair<std::string, std::string>>{
           {R"("r": "8")", R"(r must be a whole number from 1 to 1048576, not "8")"},
           {R"("r": 0)", "r must be a whole number from 1 to 1048576, not 0"},
           {R"("r": 2.5)", "r must be a whole number from 1 to 1048576, not 2.5"},
           {R"("lora_alpha": null)", "lora_alpha must be a number, not null"},
           {R"("lora_dropout": true)", "lora_dropout must be a number from 0 to 1, not true"},
           {R"("target_modules": 5)", "target_modules must be a pattern or a list of names, not 5"},
           {R"("target_modules": ["q_proj", 5])", "target_modules[1] must be text, not 5"},
           {R"("exclude_modules": {})", "exclude_modules must be a pattern or a list of names, not {}"},
           {R"("modules_to_save": "lm_head")", R"(modules_to_save must be a list of names, not "lm_head")"},
           {R"("layers_to_transform": [0, "1"])", R"(layers_to_transform[1] must be a whole number, not "1")"},
           {R"("layers_pattern": 1)", "layers_pattern must be text, not 1"},
           {R"("rank_pattern": [])", "rank_pattern must be an object of names and numbers, not []"},
           {R"("rank_pattern": {"q_proj": "4"})", R"(rank_pattern.q_proj must be a rank, at least 1, not "4")"},
           {R"("alpha_pattern": {"q_proj": null})", "alpha_pattern.q_proj must be a number, not null"},
           {R"("bias": "some")", R"(bias must be none, all or lora_only, not "some")"},
           {R"("use_dora": "yes")", R"(use_dora must be true or false, not "yes")"},
           {R"("peft_type": 5)", "peft_type must be text, not 5"}}) {
    folder.write("adapter_config.json", R"({"peft_type": "LORA", )" + written + "}");
    const auto method = readAdapterConfig(folder.path());
    ASSERT_FALSE(method.ok()) << written;
    EXPECT_EQ(method.error().what, said);
    EXPECT_EQ(method.error().where, path);
    EXPECT_EQ(method.error().kind, ErrorKind::BadInput);
  }
}

// peft ties what it adds to the embedding and to the output head, when asked to; it looks for their bare names.
TEST(AdapterConfig, WeightTyingIsRefusedOnlyWhereItWouldChangeSomething) {
  const testing::TempFolder folder;
  const auto reads = [&](const std::string& words) {
    folder.write("adapter_config.json", R"({"peft_type": "LORA", )" + words + "}");
    const auto method = readAdapterConfig(folder.path());
    EXPECT_TRUE(method.ok() || method.error().text().find("ensure_weight_tying") != std::string::npos);
    return method.ok();
  };
  for (const char* tying : {"false", "null"})
    EXPECT_TRUE(reads(std::string(R"("target_modules": ["lm_head"], "ensure_weight_tying": )") + tying));
  const std::string tied = R"("ensure_weight_tying": true, )";
  EXPECT_TRUE(reads(tied + R"("target_modules": ["q_proj", "v_proj"], "modules_to_save": ["multi_modal_projector"])"));
  EXPECT_TRUE(reads(tied + R"("target_modules": "all-linear")"));
  EXPECT_TRUE(reads(tied + R"X("target_modules": ".*\\.(q_proj|lm_head)")X"));
  EXPECT_FALSE(reads(tied + R"X("target_modules": ".*(q_proj|lm_head)")X"));
  EXPECT_FALSE(reads(tied + R"("target_modules": ["q_proj", "model.lm_head"])"));
  EXPECT_FALSE(reads(tied + R"("target_modules": ["q_proj"], "modules_to_save": ["language_model.embed_tokens"])"));
}

constexpr const char* kTrained =
    R"({"peft_type": "LORA", "r": 4, "lora_alpha": 16, "lora_dropout": 0.1, "use_rslora": true,
  "target_modules": ["q_proj"], "rank_pattern": {"layers.1.self_attn.q_proj": 2}})";

config::RunConfig runWith(const std::string& text) {
  const auto run = config::resolve(config::Document(text, "/run.yaml"), {config::Purpose::Editing, {}});
  EXPECT_TRUE(run.config) << text;
  return run.config.value_or(config::RunConfig());
}

TEST(AdapterToStartFrom, SaysWhereItIsAndTheRunWhatBecomesOfIt) {
  const testing::TempFolder folder;
  folder.write("adapter_config.json", kTrained);
  const auto method = methodFrom(runWith("adapter_name_or_path: " + folder.path().string() +
                                         "\nr: 64\nload_in_4bit: true\nautocast_adapter_dtype: false\n"
                                         "modules: {language_model.layers.0: {learning_rate: 1e-6}}\n"));
  ASSERT_TRUE(method.ok()) << method.error().text();
  EXPECT_EQ(method.value().type, FinetuningType::Qlora);
  EXPECT_TRUE(method.value().load4bit);
  EXPECT_FALSE(method.value().adapterDtype32);
  EXPECT_EQ(method.value().r, 4);
  EXPECT_EQ(method.value().loraAlpha, 16);
  EXPECT_EQ(method.value().loraDropout, 0.1);
  EXPECT_TRUE(method.value().rslora);
  EXPECT_EQ(method.value().targets.names, std::vector<std::string>{"q_proj"});
  EXPECT_EQ(method.value().rankPattern.size(), 1u);
  ASSERT_EQ(method.value().rules.size(), 1u);
}

TEST(AdapterToStartFrom, StaysAsItIsWhateverElseIsTrained) {
  const testing::TempFolder folder;
  folder.write("adapter_config.json", kTrained);
  const auto problem = [&](const std::string& modules) {
    const auto method =
        methodFrom(runWith("adapter_name_or_path: " + folder.path().string() + "\nmodules: {" + modules + "}\n"));
    EXPECT_TRUE(method.ok());
    const auto tree = buildModuleTree(tinyConfig({}), method.value());
    EXPECT_TRUE(tree.ok()) << tree.error().text();
    const Status status = requireTrainable(tree.value());
    return status.ok() ? "" : status.error().what;
  };
  const std::string layer = "model.language_model.layers.1.self_attn.";
  EXPECT_EQ(problem(""), "");
  EXPECT_EQ(problem("multi_modal_projector: full, language_model.layers.1: {learning_rate: 1e-6}"), "");
  EXPECT_EQ(problem("language_model.layers.1.self_attn.k_proj: lora"),
            "the adapter to start from has nothing on " + layer + "k_proj");
  EXPECT_EQ(problem("language_model.layers.1.self_attn.q_proj: frozen"),
            "the adapter to start from has rank 2 on " + layer + "q_proj");
  EXPECT_EQ(problem("language_model.layers.1.self_attn.q_proj: {method: lora, r: 8}"),
            "the adapter to start from has rank 2 on " + layer + "q_proj");
}

// The folder that a run began with need not be there any more when it goes on.
TEST(AdapterToStartFrom, IsTheCheckpointsOwnWhenARunGoesOn) {
  const testing::TempFolder folder;
  folder.write("run/checkpoint-3/adapter_config.json", kTrained);
  const std::string gone = "adapter_name_or_path: " + (folder / "gone").string() + "\n";
  const std::string from = "resume_from_checkpoint: ";
  EXPECT_FALSE(methodFrom(runWith(gone)).ok());
  EXPECT_FALSE(methodFrom(runWith(gone + from + "latest\n")).ok());
  EXPECT_TRUE(methodFrom(runWith(gone + from + (folder / "run/checkpoint-3").string() + "\n")).ok());
  EXPECT_TRUE(methodFrom(runWith(gone + from + "latest\n"), folder / "run/checkpoint-3").ok());
  EXPECT_FALSE(methodFrom(runWith(gone), folder / "run").ok()) << "another adapter is not taken instead";
}

}  // namespace
}  // namespace roadtune::model
