// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_builder.h"

namespace roadtune::config {

FieldTable modelFields() {
  return {
      Make("model_name_or_path", FieldType::Path, {}, "Folder of the base model in the Hugging Face layout.")
          .unset("a folder in the Hugging Face layout")
          .also({"base_model", "model_name", "model", "model_id", "base_model_name_or_path"})
          .basic()
          .required(),
      Make("tokenizer_name_or_path", FieldType::Path, {}, "Folder of the tokenizer, when it is not the model's own.")
          .unset("the model's own")
          .also({"tokenizer_name", "tokenizer_path"}),
      Make("profile", FieldType::Choice, "hf-5.23",
           "Whose arithmetic to reproduce: releases of transformers differ in soft caps and attention of PaliGemma 2.")
          .oneOf({"hf-5.23", "hf-5-sdpa", "hf-4.51-eager", "big-vision"})
          .also({"numerics_profile"}),
      Make(
          "torch_dtype", FieldType::Choice, "auto",
          "Type of the base weights in memory; `auto` keeps what the files hold. Trained weights have float32 masters.")
          .oneOf({"auto", "float32", "bfloat16"})
          .words({{"fp32", "float32"},
                  {"float", "float32"},
                  {"bf16", "bfloat16"},
                  {"torch.float32", "float32"},
                  {"torch.bfloat16", "bfloat16"}})
          .also({"dtype", "model_dtype"}),
  };
}

}  // namespace roadtune::config
