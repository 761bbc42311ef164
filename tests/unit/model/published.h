// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

namespace roadtune::testing {

// The released models as their config.json describes them: most fields are left to defaults.
struct PublishedModel {
  std::string name;
  std::string text;
  int hidden = 0, imageSize = 0;
  std::string fullLine, loraLine;

  std::string configJson() const {
    const std::string size = imageSize == 224 ? "" : fmt::format(R"(,"image_size":{})", imageSize);
    return fmt::format(
        R"({{"model_type":"paligemma","image_token_index":257152,"projection_dim":{},"torch_dtype":"bfloat16",)"
        R"("text_config":{{{},"vocab_size":257216}},"vision_config":{{"hidden_size":1152,"intermediate_size":4304,)"
        R"("model_type":"siglip_vision_model","num_attention_heads":16,"num_hidden_layers":27,"patch_size":14,)"
        R"("vision_use_head":false{}}}}})",
        hidden, text, size);
  }
};

inline std::string line(const char* trainable, const char* all, const char* percent) {
  return fmt::format("trainable params: {} || all params: {} || trainable%: {}", trainable, all, percent);
}

inline std::vector<PublishedModel> publishedModels() {
  const std::string gemma =
      R"("model_type":"gemma","hidden_size":2048,"intermediate_size":16384,"num_attention_heads":8,)"
      R"("num_hidden_layers":18,"num_key_value_heads":1)";
  const std::string two =
      R"("model_type":"gemma2","hidden_size":2304,"intermediate_size":9216,"num_attention_heads":8,)"
      R"("num_hidden_layers":26,"num_key_value_heads":4)";
  const std::string nine =
      R"("model_type":"gemma2","hidden_size":3584,"intermediate_size":14336,"num_attention_heads":16,)"
      R"("num_hidden_layers":42,"num_key_value_heads":8)";
  const std::string large =
      R"("model_type":"gemma2","hidden_size":4608,"intermediate_size":36864,"num_attention_heads":32,)"
      R"("num_hidden_layers":46,"num_key_value_heads":16,"head_dim":128,"query_pre_attn_scalar":144)";
  const auto full = [](const char* all) { return line(all, all, "100.0000"); };
  return {
      {"PaliGemma 3B 224", gemma, 2048, 224, full("2,923,466,480"), line("11,298,816", "2,934,765,296", "0.3850")},
      {"PaliGemma 3B 448", gemma, 2048, 448, full("2,924,351,216"), line("11,298,816", "2,935,650,032", "0.3849")},
      {"PaliGemma 3B 896", gemma, 2048, 896, full("2,927,890,160"), line("11,298,816", "2,939,188,976", "0.3844")},
      {"PaliGemma 2 3B 224", two, 2304, 224, full("3,032,242,416"), line("11,876,352", "3,044,118,768", "0.3901")},
      {"PaliGemma 2 3B 448", two, 2304, 448, full("3,033,127,152"), line("11,876,352", "3,045,003,504", "0.3900")},
      {"PaliGemma 2 3B 896", two, 2304, 896, full("3,036,666,096"), line("11,876,352", "3,048,542,448", "0.3896")},
      {"PaliGemma 2 10B 224", nine, 3584, 224, full("9,662,638,832"), line("28,502,016", "9,691,140,848", "0.2941")},
      {"PaliGemma 2 10B 448", nine, 3584, 448, full("9,663,523,568"), line("28,502,016", "9,692,025,584", "0.2941")},
      {"PaliGemma 2 10B 896", nine, 3584, 896, full("9,667,062,512"), line("28,502,016", "9,695,564,528", "0.2940")},
      {"PaliGemma 2 28B 224", large, 4608, 224, full("27,650,487,024"), line("58,583,040", "27,709,070,064", "0.2114")},
      {"PaliGemma 2 28B 448", large, 4608, 448, full("27,651,371,760"), line("58,583,040", "27,709,954,800", "0.2114")},
      {"PaliGemma 2 28B 896", large, 4608, 896, full("27,654,910,704"), line("58,583,040", "27,713,493,744", "0.2114")},
  };
}

}  // namespace roadtune::testing
