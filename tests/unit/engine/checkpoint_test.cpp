// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/checkpoint/adapter_config.h"
#include "core/engine/checkpoint/complete_marker.h"
#include "core/engine/checkpoint/resume_files.h"
#include "core/engine/loop/run_state.h"
#include "core/engine/nn/ops.h"
#include "core/model/safetensors_writer.h"
#include "core/model/tiny_model.h"
#include "core/protocol/checkpoint_marker.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace roadtune::engine {
namespace {

TEST(CompleteMarker, SealsAFolderWithAllThatIsBelowIt) {
  const testing::TempFolder folder;
  folder.write("a.bin", "first");
  folder.write("ema/b.json", "{}");
  ASSERT_TRUE(sealFolder(folder.path()).ok());
  EXPECT_TRUE(protocol::verifyCheckpoint(folder.path(), protocol::Compare::Content).ok());
  folder.write("ema/b.json", "[]");
  EXPECT_EQ(protocol::verifyCheckpoint(folder.path(), protocol::Compare::Content).error().what,
            "ema/b.json was altered after it was written");
}

TEST(RunState, ComesBackExactly) {
  RunState state;
  state.globalStep = 7;
  state.epoch = 1.0 / 3.0;
  state.lossSinceLog = 0.1 + 0.2;
  state.best.best = 0.25;
  state.history.push_back({{"loss", 0.1}, {"step", 1}});
  const auto text = toJson(state).dump();
  const auto back = runStateFromJson(nlohmann::json::parse(text), "test");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(toJson(back.value()).dump(), text);
  EXPECT_EQ(back.value().lossSinceLog, state.lossSinceLog);
  EXPECT_FALSE(runStateFromJson(nlohmann::json::parse("{\"format\":1}"), "test").ok());
}

TEST(AdapterConfig, NarrowedTargetsAreListedSoThatPeftBuildsTheSame) {
  model::Method method;
  method.type = model::FinetuningType::Lora;
  method.targets.names = {"q_proj"};
  const auto config = model::tinyConfig({});
  const auto plain = nlohmann::json::parse(adapterConfigText(model::buildModuleTree(config, method).value(), "base"));
  EXPECT_EQ(plain["target_modules"], nlohmann::json({"q_proj"}));
  method.rules = {{.path = "vision_tower", .mode = model::ModuleMode::Frozen}};
  const auto narrowed =
      nlohmann::json::parse(adapterConfigText(model::buildModuleTree(config, method).value(), "base"));
  for (const auto& name : narrowed["target_modules"])
    EXPECT_TRUE(name.get<std::string>().starts_with("language_model.layers.")) << name;
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

// As many elements are not enough: a matrix lying on its side would be read in silence.
TEST(ResumeTensors, OfAnotherShapeAreRefusedByName) {
  Parameter weight{"weight", at::zeros({4, 6})};
  FlatGroup group{.members = {&weight}, .offsets = {0}, .begins = {0}, .counts = {24}};
  group.values = at::zeros({24});
  group.gradients = at::zeros({24});
  group.firstMoment = Moment::zeros(24, false, true, at::kCPU);
  group.secondMoment = Moment::zeros(24, false, false, at::kCPU);
  AdamW optimizer({group}, {});
  const std::vector<std::uint8_t> bytes(24 * sizeof(float), 0x3f);
  const auto read = [&](const std::vector<std::int64_t>& shape) {
    const testing::TempFolder folder;
    folder.write("resume.json", "{\"optimizer_steps\": 3}");
    const auto stored = model::writeSafetensors(
        folder / "resume.safetensors",
        {{"exp_avg.weight", model::Dtype::F32, shape, bytes}, {"exp_avg_sq.weight", model::Dtype::F32, {4, 6}, bytes}});
    EXPECT_TRUE(stored.ok());
    return readResumeTensors(optimizer, folder.path());
  };
  EXPECT_EQ(read({6, 4}).error().what, "exp_avg.weight has another shape now");
  EXPECT_EQ(optimizer.steps(), 0);
  EXPECT_TRUE(read({4, 6}).ok());
  EXPECT_EQ(optimizer.steps(), 3);
  EXPECT_GT(optimizer.groups()[0].firstMoment.values.min().item<float>(), 0.7f);
}

}  // namespace
}  // namespace roadtune::engine
