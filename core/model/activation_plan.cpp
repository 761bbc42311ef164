// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/activation_plan.h"

#include "core/model/graph_blocks.h"
#include "core/model/numerics.h"

#include <algorithm>
#include <map>

namespace roadtune::model {
namespace {

using Bytes = std::uint64_t;

// What training asks of the modules of one block, by their last words ("q_proj", "fc1", "layer_norm1").
struct BlockNeeds {
  struct Layer {
    bool weightTrains = false;
    const LoraBranch* lora = nullptr;
    std::optional<Dtype> dtype = {};  // what it computes in instead of the run's type
    Bytes scaled = 0;                 // width of its result, where DoRA scales that
  };
  std::map<std::string, Layer> layers;

  const Layer& of(const std::string& word) const {
    static const Layer kNothing;
    const auto found = layers.find(word);
    return found == layers.end() ? kNothing : found->second;
  }
};

std::string blockWord(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::map<int, BlockNeeds> needsOf(const ModuleTree& tree, Part part) {
  std::map<int, BlockNeeds> blocks;
  for (const Module& module : tree.modules) {
    if (module.part != part || module.layer < 0) continue;
    BlockNeeds& block = blocks[module.layer];
    auto& layer = block.layers[blockWord(module.path)];
    if (module.lora) layer.lora = &*module.lora;
    layer.dtype = module.dtype;
  }
  for (const Tensor& tensor : tree.tensors) {
    const Module& module = tree.moduleOf(tensor);
    if (!tensor.trainable || module.part != part || module.layer < 0) continue;
    BlockNeeds& block = blocks[module.layer];
    if (tensor.role == TensorRole::Magnitude)
      block.layers[blockWord(module.path)].scaled = static_cast<Bytes>(tensor.shape.at(0));
    if (tensor.role == TensorRole::Base && tensor.name.ends_with(".weight"))
      block.layers[blockWord(module.path)].weightTrains = true;
  }
  return blocks;
}

// Counts what the operators of one block keep.
class BlockCounter {
 public:
  BlockCounter(const StepShape& step, std::int64_t rows)
      : m_size(sizeOf(step.computeDtype)),
        m_kernels(step.onGpu),
        m_adaptersFollow(step.adaptersInComputeDtype),
        m_rows(static_cast<Bytes>(rows)) {}

  Bytes total() const { return m_total; }
  void kept(Bytes width) { m_total += m_rows * width * m_size; }
  void keptFloat(Bytes width) { m_total += m_rows * width * 4; }
  void add(Bytes bytes) { m_total += bytes; }

  // RMS norm in float32: its input, one number per row, and the scaled input when the weight trains. A kernel converts
  // on the way and needs no copies.
  void rmsNorm(Bytes width, bool inputIsKeptAnyway, bool trains) {
    if (m_size < 4 && !m_kernels)
      keptFloat(width);
    else if (!inputIsKeptAnyway)
      kept(width);
    keptFloat(1);
    if (trains && !m_kernels) keptFloat(width);
  }

  // Mean and deviation per row beside the input.
  void layerNorm(Bytes width) {
    kept(width);
    keptFloat(2);
  }

  // The input of linear layers that share it: kept once in the compute type when a weight or an adapter of that type
  // needs it. When adapters compute in float32 instead, they share a copy in that. An adapter that drops values has an
  // input of its own, and a mask where no kernel makes that again.
  void linearInputs(const BlockNeeds& needs, std::initializer_list<const char*> words, Bytes width, bool keptAnyway) {
    bool shared = false, copied = false;
    for (const char* word : words) {
      const auto& layer = needs.of(word);
      const Bytes own = layer.dtype ? sizeOf(*layer.dtype) : m_size, adapterSize = m_adaptersFollow ? own : 4;
      const bool drops = layer.lora && layer.lora->dropout > 0, follows = layer.lora && !drops;
      shared |= (layer.weightTrains && own == m_size) || (follows && adapterSize == m_size);
      if (layer.weightTrains && own != m_size) m_total += m_rows * width * own;
      if (follows && adapterSize != m_size && !copied) m_total += m_rows * width * adapterSize;
      copied |= follows;
      if (layer.lora) m_total += m_rows * static_cast<Bytes>(layer.lora->r) * adapterSize;
      if (drops) m_total += m_rows * width * adapterSize * (m_kernels ? 1 : 2);
      m_total += 2 * m_rows * layer.scaled * adapterSize;  // what the layer and its adapter came to, each by itself
    }
    if (shared && !keptAnyway) kept(width);
  }

 private:
  Bytes m_size;
  bool m_kernels;
  bool m_adaptersFollow;  // compute in the type of their layer instead of float32
  Bytes m_rows;
  Bytes m_total = 0;
};

Bytes scoresOf(std::int64_t batch, std::int64_t heads, std::int64_t length) {
  return static_cast<Bytes>(batch) * static_cast<Bytes>(heads) * static_cast<Bytes>(length) *
         static_cast<Bytes>(length);
}

// How attention of the text model works with kernels: `Rows` has neither scores nor masks, `Fused` both, of
// one layer at a time; `Plain` keeps what torch's operators keep.
enum class TextAttention { Plain, Fused, Rows };

bool capsScores(const TextConfig& text, const StepShape& step) { return step.attentionCaps && text.attentionSoftcap; }

TextAttention textAttention(const PaliGemmaConfig& config, const StepShape& step) {
  if (!step.onGpu) return TextAttention::Plain;
  if (capsScores(config.text, step) || step.length(config) <= kLongestRectangle) return TextAttention::Fused;
  return sizeOf(step.computeDtype) < 4 ? TextAttention::Rows : TextAttention::Plain;
}

// Does a layer behind an activation make its input again when gradients need it?
bool makesAgain(const StepShape& step, const BlockNeeds::Layer& layer) {
  return step.onGpu && !(layer.lora && layer.lora->dropout > 0);
}

Bytes visionBlockBytes(const VisionConfig& vision, const StepShape& step, const BlockNeeds& needs) {
  const std::int64_t images = std::int64_t{step.batch} * step.imagesPerSample;
  const auto width = static_cast<Bytes>(vision.hidden), inner = static_cast<Bytes>(vision.intermediate);
  BlockCounter counter(step, images * vision.tokens());
  counter.layerNorm(width);
  counter.linearInputs(needs, {"q_proj", "k_proj", "v_proj"}, width, false);
  counter.kept(4 * width);  // queries, keys, values and the attended result
  counter.add(static_cast<Bytes>(images * vision.heads * vision.tokens()) * 4);
  counter.linearInputs(needs, {"out_proj"}, width, false);  // heads side by side: a copy of the attended result
  counter.layerNorm(width);
  counter.linearInputs(needs, {"fc1"}, width, false);
  counter.kept(inner);
  counter.linearInputs(needs, {"fc2"}, inner, makesAgain(step, needs.of("fc2")));
  return counter.total();
}

// Rows of a block's outputs: the last one works on those that labels are predicted from, but for its keys and values.
std::int64_t rowsOf(const PaliGemmaConfig& config, const StepShape& step, bool last) {
  const std::int64_t length = step.length(config);
  return last && step.labelRowsAlone ? std::min<std::int64_t>(step.labelTokens + 1, length) : length;
}

// The MLP's result, which the norm behind it needs: where not all blocks are computed again, one of Gemma 2 that is has
// it from the first time, unless its adapter adds more than one product to the layer's.
Bytes rememberedBytes(const PaliGemmaConfig& config, const StepShape& step, const BlockNeeds& needs, bool last) {
  const auto& layer = needs.of("down_proj");
  const bool plain = !layer.lora || (step.onGpu && step.adaptersInComputeDtype && layer.lora->dropout == 0 &&
                                     !layer.lora->dora && !layer.lora->loraBias);
  if (step.checkpointedBlocks == kEveryBlock || config.family != Family::PaliGemma2 || layer.dtype || !plain) return 0;
  return static_cast<Bytes>(step.batch * rowsOf(config, step, last) * config.text.hidden) * sizeOf(step.computeDtype);
}

Bytes textBlockBytes(const PaliGemmaConfig& config, const StepShape& step, const BlockNeeds& needs, bool last) {
  const TextConfig& text = config.text;
  const std::int64_t length = step.length(config);
  const bool four = config.family == Family::PaliGemma2;
  const auto width = static_cast<Bytes>(text.hidden), inner = static_cast<Bytes>(text.intermediate);
  const auto queries = static_cast<Bytes>(text.heads) * static_cast<Bytes>(text.headDim);
  const auto keys = static_cast<Bytes>(text.kvHeads) * static_cast<Bytes>(text.headDim);
  const auto trains = [&](const char* word) { return needs.of(word).weightTrains; };
  const bool few = last && step.labelRowsAlone;
  const std::int64_t asked = rowsOf(config, step, last);
  BlockCounter all(step, step.batch * length), counter(step, step.batch * asked);

  all.rmsNorm(width, false, trains("input_layernorm"));
  if (few) {
    all.linearInputs(needs, {"k_proj", "v_proj"}, width, false);
    counter.linearInputs(needs, {"q_proj"}, width, false);
  } else {
    all.linearInputs(needs, {"q_proj", "k_proj", "v_proj"}, width, false);
  }
  const TextAttention attention = textAttention(config, step);
  const bool rows = attention == TextAttention::Rows;
  if (attention != TextAttention::Plain || !capsScores(text, step)) {
    const bool repeated = attention == TextAttention::Plain;  // torch's operators repeat keys for each query head
    counter.kept(queries);
    all.kept((repeated ? queries : keys) * 2);
    if (attention != TextAttention::Fused) counter.kept(queries);  // what was attended
    counter.add(static_cast<Bytes>(step.batch * text.heads * asked) * 4);
  } else {
    counter.kept(queries);
    all.kept(2 * keys);
    const Bytes scores =
                    scoresOf(step.batch, text.heads, length) * static_cast<Bytes>(asked) / static_cast<Bytes>(length),
                size = sizeOf(step.computeDtype);
    counter.add(scores * (size + 4 + (size < 4 ? size : 0)));  // tanh, softmax in float32, its rounded copy
  }
  counter.linearInputs(needs, {"o_proj"}, queries, rows);
  if (four) counter.rmsNorm(width, false, trains("post_attention_layernorm"));
  counter.rmsNorm(width, false, trains(four ? "pre_feedforward_layernorm" : "post_attention_layernorm"));
  counter.linearInputs(needs, {"gate_proj", "up_proj"}, width, false);
  counter.kept((step.onGpu ? 2 : 3) * inner);  // gate, its activation, up
  counter.linearInputs(needs, {"down_proj"}, inner, makesAgain(step, needs.of("down_proj")));
  if (four) counter.rmsNorm(width, false, trains("post_feedforward_layernorm"));
  return all.total() + counter.total();
}

// The blocks of a part, from their first on, of which `again` are computed again.
template <class InFull, class Again>
ActivationPlan::Blocks sumBlocks(const std::map<int, BlockNeeds>& blocks, int inGraph, int again, InFull inFull,
                                 Again keptAgain) {
  ActivationPlan::Blocks sum{inGraph, std::min(again, inGraph)};
  const int count = static_cast<int>(blocks.size()), first = count - inGraph;
  for (const auto& [index, needs] : blocks) {
    if (index < first) continue;
    const bool last = index + 1 == count, twice = index < first + sum.again;
    const Bytes full = inFull(needs, last), kept = twice ? keptAgain(needs, last) : full;
    sum.one = std::max(sum.one, full);
    sum.all += kept;
    if (twice) sum.ofAgain += kept;
  }
  return sum;
}

}  // namespace

ActivationPlan planActivations(const ModuleTree& tree, const StepShape& step) {
  const PaliGemmaConfig& config = tree.config;
  const Bytes size = sizeOf(step.computeDtype);
  const std::int64_t length = step.length(config), rows = step.batch * length;
  const std::int64_t patches = std::int64_t{step.batch} * step.imagesPerSample * config.vision.tokens();
  const auto visionNeeds = needsOf(tree, Part::Vision), textNeeds = needsOf(tree, Part::Text);
  const GraphBlocks inGraph = blocksInGraph(tree);
  const auto ofText = [&](const BlockNeeds& needs, bool last) { return textBlockBytes(config, step, needs, last); };
  ActivationPlan plan;
  const Bytes visionInput = static_cast<Bytes>(patches * config.vision.hidden) * size;
  plan.vision = sumBlocks(
      visionNeeds, inGraph.vision, step.recomputedBlocks(),
      [&](const BlockNeeds& needs, bool) { return visionBlockBytes(config.vision, step, needs); },
      [&](const BlockNeeds&, bool) { return visionInput; });
  const Bytes textInput = static_cast<Bytes>(rows * config.text.hidden) * size;
  plan.text = sumBlocks(
      textNeeds, inGraph.text, step.recomputedBlocks() - plan.vision.again, ofText,
      [&](const BlockNeeds& needs, bool last) { return textInput + rememberedBytes(config, step, needs, last); });
  if (step.labelRowsAlone && plan.text.again < plan.text.count && !textNeeds.empty())
    plan.lastTextBlock = ofText(textNeeds.rbegin()->second, true);

  if (inGraph.vision > 0)
    plan.vision.transient = static_cast<Bytes>(patches) * size *
                            static_cast<Bytes>(2 * config.vision.intermediate + 3 * config.vision.hidden);
  // Gradients come while what was kept goes: the MLP's product and its two factors in turn; then, of soft-capped
  // scores, one gradient and its successor, when the MLP's own share is gone already.
  const Bytes row = static_cast<Bytes>(rows) * size;
  const auto inner = static_cast<Bytes>(config.text.intermediate), width = static_cast<Bytes>(config.text.hidden);
  const TextAttention attention = textAttention(config, step);
  const Bytes score = attention == TextAttention::Fused ? size : 4;
  const bool whole = attention == TextAttention::Fused || capsScores(config.text, step);
  const Bytes scores = whole ? 2 * score * scoresOf(step.batch, config.text.heads, length) : 0;
  const Bytes gone = row * (step.onGpu ? 2 * inner + 2 * width : 4 * inner + 5 * width);
  const Bytes gated = (step.onGpu ? 3 : 2) * row * inner;  // a kernel has both factors' gradients at once
  plan.text.transient = std::max(gated, scores > gone ? scores - gone : 0) + row * width;

  plan.ends =
      textInput * 2 + (inGraph.features ? visionInput * 2 : 0) +
      static_cast<Bytes>(patches * config.vision.patchSize * config.vision.patchSize * config.vision.channels) * 4;
  if (attention != TextAttention::Rows) plan.ends += static_cast<Bytes>(step.batch * length * length) * (size + 1);
  return plan;
}

}  // namespace roadtune::model
