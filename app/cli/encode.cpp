// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/cli/number_checks.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/data/image/decode.h"
#include "core/data/image/resize.h"
#include "core/model/processor_config.h"
#include "core/model/safetensors_writer.h"
#include "core/text/prompt.h"
#include "core/text/tokenizer.h"

#include <fmt/format.h>

#include <optional>

namespace roadtune::cli {
namespace {

struct EncodeOptions {
  std::string model, prompt, resize = "pil-bicubic", out;
  std::vector<std::string> images;
  std::optional<std::string> suffix;
  int maxLength = 0;
};

// pixel_values of one picture, appended.
Status addPixels(const std::string& path, const model::ProcessorConfig& processor, std::vector<float>& pixels) {
  ROADTUNE_TRY(const std::string bytes, readFile(path));
  data::DecodeOptions decoding;
  decoding.alpha = processor.convertRgb ? data::AlphaPolicy::White : data::AlphaPolicy::Drop;
  auto decoded = data::decodeImage(data::asBytes(bytes), decoding);
  if (!decoded.ok()) {
    Error error = decoded.error();
    error.where = error.where.empty() ? path : path + ": " + error.where;
    return error;
  }
  data::Image image = std::move(decoded).value();
  if (processor.resize) {
    ROADTUNE_TRY(image, data::resizeBicubic(image, processor.imageSize, processor.imageSize));
  } else if (image.width != processor.imageSize || image.height != processor.imageSize) {
    return badInput(fmt::format("{} x {} pixels, and do_resize is off", image.width, image.height), path,
                    fmt::format("give a picture of {0} x {0}", processor.imageSize));
  }
  const std::size_t start = pixels.size();
  pixels.resize(start + image.pixels.size());
  model::normalizePixels(processor, image.pixels, std::span(pixels).subspan(start));
  return {};
}

template <class T>
model::TensorView viewOf(const std::string& name, model::Dtype dtype, std::vector<std::int64_t> shape,
                         const std::vector<T>& values) {
  return {
      name, dtype, std::move(shape), {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)}};
}

Result<int> runEncode(const EncodeOptions& options) {
  ROADTUNE_TRY(const text::Tokenizer tokenizer, text::Tokenizer::load(options.model));
  ROADTUNE_TRY(const model::ProcessorConfig processor, model::ProcessorConfig::fromFolder(options.model));
  std::vector<float> pixels;
  for (const std::string& image : options.images) ROADTUNE_CHECK(addPixels(image, processor, pixels));

  text::PromptOptions layout;
  layout.imageTokens = processor.imageTokens;
  layout.images = static_cast<int>(options.images.size());
  layout.maxLength = options.maxLength;
  ROADTUNE_TRY(const text::EncodedPrompt encoded,
               text::encodePrompt(tokenizer, options.prompt, options.suffix, layout));
  if (encoded.cutTokens > 0)
    fmt::print(stderr, "roadtune encode: the suffix lost {} tokens to --max-length; <eos> was kept\n",
               encoded.cutTokens);
  const text::PaddedBatch batch = text::padBatch({encoded}, tokenizer.special().pad);

  const auto side = static_cast<std::int64_t>(processor.imageSize);
  const auto ids = [&](const char* name, const text::TokenIds& values) {
    return viewOf(name, model::Dtype::I64, {1, batch.length}, values);
  };
  if (const fs::path folder = fs::path(options.out).parent_path(); !folder.empty()) ROADTUNE_CHECK(makeFolders(folder));
  ROADTUNE_CHECK(model::writeSafetensors(
      options.out, {ids("input_ids", batch.inputIds), ids("attention_mask", batch.attentionMask),
                    ids("token_type_ids", batch.tokenTypeIds), ids("labels", batch.labels),
                    viewOf("pixel_values", model::Dtype::F32,
                           {static_cast<std::int64_t>(options.images.size()), 3, side, side}, pixels)}));
  fmt::print("{}\n", options.out);
  return static_cast<int>(kExitDone);
}

const Registration kEncode{
    "encode", "Turn a picture and a prompt into the batch a model sees", [](CLI::App& app) -> Action {
      auto options = std::make_shared<EncodeOptions>();
      app.add_option("--model", options->model, "Model folder: tokenizer and processor files")->required();
      app.add_option("--image", options->images, "Picture; repeat for several")->required();
      app.add_option("--prompt", options->prompt, "Text before the answer")->required();
      app.add_option("--suffix", options->suffix, "The answer, for training");
      app.add_option("--resize", options->resize, "pil-bicubic: Pillow's bits")->check(CLI::IsMember({"pil-bicubic"}));
      app.add_option("--max-length", options->maxLength, "Longest sequence in tokens, image tokens included")
          ->check(wholeNumberFrom(1));
      app.add_option("--out", options->out, "File to write (.safetensors)")->required();
      return [options] { return runEncode(*options); };
    }};

}  // namespace
}  // namespace roadtune::cli
