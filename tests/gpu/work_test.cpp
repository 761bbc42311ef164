// SPDX-License-Identifier: GPL-3.0-or-later
// What a pass does besides its products, counted: operators that read or write activations or weights, on the CPU with
// the arithmetic of the kernels, and in the order in which a GPU gets them.
#include "core/engine/cuda/host_kernels.h"
#include "core/engine/cuda/kernels.h"
#include "core/engine/nn/model_state.h"
#include "core/engine/nn/ops.h"
#include "core/engine/optim/flat_group.h"
#include "core/model/tiny_model.h"
#include "tests/support/temp_folder.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace roadtune::engine {
namespace {

constexpr int kSide = 56, kImageTokens = 16, kExamples = 2, kLength = 40, kAnswer = 6;

// Operators of this thread that call no others, by name: all, and those that get a tensor of at least so many numbers.
class Counted {
 public:
  explicit Counted(std::int64_t large) {
    s_now = {};
    s_now.limit = large;
    m_handle = at::addThreadLocalCallback(
        at::RecordFunctionCallback(begins, ends).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
  }
  ~Counted() { at::removeCallback(m_handle); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  static int all(const std::string& name) { return of(s_now.all, name); }
  static int large(const std::string& name) { return of(s_now.large, name); }

 private:
  using Counts = std::map<std::string, int>;
  struct State {
    std::int64_t limit = 0;
    std::vector<bool> callsOthers = {};  // of the operators at work
    Counts all = {}, large = {};
  };
  struct Seen : at::ObserverContext {
    bool large = false;
  };

  static int of(const Counts& counts, const std::string& name) {
    const auto found = counts.find(name);
    return found == counts.end() ? 0 : found->second;
  }
  static std::unique_ptr<at::ObserverContext> begins(const at::RecordFunction& f) {
    if (!s_now.callsOthers.empty()) s_now.callsOthers.back() = true;
    s_now.callsOthers.push_back(false);
    auto seen = std::make_unique<Seen>();
    for (const auto& input : f.inputs())
      seen->large |= input.isTensor() && input.toTensor().defined() && input.toTensor().numel() >= s_now.limit;
    return seen;
  }
  static void ends(const at::RecordFunction& f, at::ObserverContext* seen) {
    const bool alone = !s_now.callsOthers.back();
    s_now.callsOthers.pop_back();
    if (!alone) return;
    ++s_now.all[f.name()];
    if (static_cast<Seen*>(seen)->large) ++s_now.large[f.name()];
  }

  static thread_local State s_now;
  at::CallbackHandle m_handle;
};
thread_local Counted::State Counted::s_now;

struct Trained {
  std::unique_ptr<ModelState> model;
  std::vector<FlatGroup> groups;
};

Trained trained(const model::Method& method) {
  const testing::TempFolder folder;
  EXPECT_TRUE(model::writeTinyModel(folder.path(), {.imageSize = kSide}).ok());
  LoadOptions options;
  options.folder = folder.path();
  options.method = method;
  options.trainableType = at::kFloat;
  options.frozenType = at::kBFloat16;
  Trained result{std::move(loadModel(options)).value(), {}};
  auto& model = *result.model;
  result.groups = makeGroups(model.parameters, model.tree, {.base = 1e-3}, 0.0, at::kBFloat16);
  return result;
}

Batch evenBatch(const ModelState& model) {
  const auto options = at::TensorOptions().dtype(at::kLong);
  Batch batch;
  batch.inputIds = at::randint(5, 200, {kExamples, kLength}, options);
  batch.inputIds.narrow(1, 0, kImageTokens).fill_(model.tree.config.imageTokenId);
  batch.attentionMask = at::ones({kExamples, kLength}, options);
  batch.tokenTypeIds = at::zeros({kExamples, kLength}, options);
  batch.tokenTypeIds.narrow(1, kLength - kAnswer, kAnswer).fill_(1);
  batch.labels = batch.inputIds.masked_fill(batch.tokenTypeIds.eq(0), -100);
  batch.pixelValues = at::rand({kExamples, 3, kSide, kSide}) * 2 - 1;
  batch.imagePositions = batch.inputIds.flatten().eq(model.tree.config.imageTokenId).nonzero().squeeze(1);  // as pinned
  return batch;
}

// Operators that wait for a device, or whose results have to come back first.
constexpr const char* kWaiting[] = {"aten::nonzero",    "aten::masked_select", "aten::_unique2",       "aten::bincount",
                                    "aten::is_nonzero", "aten::equal",         "aten::masked_scatter_"};

model::Method adapters(model::FinetuningType type) {
  model::Method method;
  method.type = type;
  method.targets.names = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
  method.load4bit = method.doubleQuant = type == model::FinetuningType::Qlora;
  return method;
}

using Look = std::function<void(const model::PaliGemmaConfig&)>;

class Work : public ::testing::Test {
 protected:
  void SetUp() override {
    at::manual_seed(3);
    cuda::useOnHost(&cuda::hostKernels());
  }
  void TearDown() override { cuda::useOnHost(nullptr); }

  // A pass of a model that trains as `method` says, with a look at what was counted after each half.
  void pass(const model::Method& method, const Look& afterForward, const Look& afterBackward) {
    const auto it = trained(method);
    const auto batch = evenBatch(*it.model);
    const auto rows = labelRows(batch.labels);
    const auto shares = at::full({rows.count()}, 1.0 / static_cast<double>(rows.count()));
    ForwardContext context;
    context.type = at::kBFloat16;
    context.training = true;
    context.adaptersInComputeType = true;
    const auto& network = *it.model->network;
    const auto large = kExamples * kLength * it.model->tree.config.text.hidden / 2;
    at::Tensor loss;
    {
      const Counted counted(large);
      loss = network.loss(network.hidden(batch, context), rows, context, shares).loss;
      afterForward(network.config());
    }
    const Counted counted(large);
    loss.backward();
    afterBackward(network.config());
  }
};

TEST_F(Work, ActivationsAreAddedUpByProductsAndNorms) {
  using model::FinetuningType;
  const Look forward = [](const auto& config) {
    // Of a text layer its output alone; the vision tower's are smaller than what counts as large here.
    EXPECT_EQ(Counted::large("aten::add") + Counted::large("aten::add_"), config.text.layers);
    EXPECT_LE(Counted::large("aten::mul"), 1);  // the scale of the embeddings
  };
  const Look backward = [](const auto&) {
    for (const char* name : {"aten::add", "aten::add_", "aten::mul_", "aten::cat"})
      EXPECT_EQ(Counted::large(name), 0) << name;
    EXPECT_LE(Counted::large("aten::mul"), 1);
  };
  pass({.type = FinetuningType::Full}, forward, backward);
  pass(adapters(FinetuningType::Lora), forward, backward);
  pass(adapters(FinetuningType::Qlora), forward, backward);
}

// Heads are brought side by side and back, for values and for what attention makes; weights are used as they lie.
TEST_F(Work, NeitherWeightsNorLayoutsAreConverted) {
  const Look forward = [](const auto& config) {
    EXPECT_LE(Counted::large("aten::copy_"), 2 * config.text.layers + config.vision.layers + 3);
  };
  pass({.type = model::FinetuningType::Full}, forward, [](const auto&) {});
  pass(adapters(model::FinetuningType::Lora), forward,
       [](const auto& config) { EXPECT_LE(Counted::large("aten::copy_"), 2 * config.text.layers); });
}

TEST_F(Work, NothingWaitsForTheDevice) {
  const Look none = [](const auto&) {
    for (const char* name : kWaiting) EXPECT_EQ(Counted::all(name), 0) << name;
  };
  const Look forward = [&](const auto& config) {
    none(config);
    EXPECT_EQ(Counted::all("aten::_local_scalar_dense"), 0);
  };
  const Look backward = [&](const auto& config) {
    none(config);
    EXPECT_LE(Counted::all("aten::_local_scalar_dense"), 1);  // the head asks where the pass starts, on the CPU alone
  };
  pass({.type = model::FinetuningType::Full}, forward, backward);
  pass(adapters(model::FinetuningType::Lora), forward, backward);
}

}  // namespace
}  // namespace roadtune::engine
