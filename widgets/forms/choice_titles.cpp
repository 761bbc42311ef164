// SPDX-License-Identifier: GPL-3.0-or-later
// What the values of a choice are called. Names of others' (NCCL's levels, float types) stay as they are.
#include "widgets/forms/field_text.h"

#include <QCoreApplication>
#include <QHash>

namespace roadtune::widgets {
namespace {

struct ChoiceTitle {
  const char *choice, *words;  // "field value", or a value that means the same everywhere
};

const ChoiceTitle kChoices[] = {
    {"auto", QT_TRANSLATE_NOOP("Choice", "Automatic")},
    {"off", QT_TRANSLATE_NOOP("Choice", "Off")},
    {"none", QT_TRANSLATE_NOOP("Choice", "None")},
    {"all", QT_TRANSLATE_NOOP("Choice", "All")},
    {"memory", QT_TRANSLATE_NOOP("Choice", "In memory")},
    {"disk", QT_TRANSLATE_NOOP("Choice", "On disk")},
    {"no", QT_TRANSLATE_NOOP("Choice", "Never")},
    {"steps", QT_TRANSLATE_NOOP("Choice", "Every so many steps")},
    {"epoch", QT_TRANSLATE_NOOP("Choice", "After each epoch")},
    {"best", QT_TRANSLATE_NOOP("Choice", "When it is the best so far")},
    {"stop", QT_TRANSLATE_NOOP("Choice", "Stop the run")},
    {"skip", QT_TRANSLATE_NOOP("Choice", "Leave it out")},
    {"cut", QT_TRANSLATE_NOOP("Choice", "Cut its answer")},
    {"warn", QT_TRANSLATE_NOOP("Choice", "Warn")},
    {"ignore", QT_TRANSLATE_NOOP("Choice", "Ignore it")},
    {"profile hf-5.23", QT_TRANSLATE_NOOP("Choice", "transformers 5.23")},
    {"profile hf-5-sdpa", QT_TRANSLATE_NOOP("Choice", "transformers 5, SDPA")},
    {"profile hf-4.51-eager", QT_TRANSLATE_NOOP("Choice", "transformers 4.51, eager")},
    {"profile big-vision", QT_TRANSLATE_NOOP("Choice", "big_vision")},
    {"torch_dtype auto", QT_TRANSLATE_NOOP("Choice", "As in its files")},
    {"task detect", QT_TRANSLATE_NOOP("Choice", "Detection")},
    {"task vqa", QT_TRANSLATE_NOOP("Choice", "Questions and answers")},
    {"task caption", QT_TRANSLATE_NOOP("Choice", "Captions")},
    {"box_order shuffle", QT_TRANSLATE_NOOP("Choice", "New in each epoch")},
    {"box_order top_left", QT_TRANSLATE_NOOP("Choice", "From the top left")},
    {"box_order area", QT_TRANSLATE_NOOP("Choice", "Largest first")},
    {"box_order stored", QT_TRANSLATE_NOOP("Choice", "As stored")},
    {"resize pil-bicubic", QT_TRANSLATE_NOOP("Choice", "Bicubic, as Pillow")},
    {"finetuning_type full", QT_TRANSLATE_NOOP("Choice", "Full fine-tuning")},
    {"finetuning_type lora", QT_TRANSLATE_NOOP("Choice", "LoRA")},
    {"finetuning_type qlora", QT_TRANSLATE_NOOP("Choice", "QLoRA")},
    {"bias lora_only", QT_TRANSLATE_NOOP("Choice", "Of adapted layers")},
    {"init_lora_weights true", QT_TRANSLATE_NOOP("Choice", "Uniform")},
    {"init_lora_weights gaussian", QT_TRANSLATE_NOOP("Choice", "Gaussian")},
    {"init_lora_weights orthogonal", QT_TRANSLATE_NOOP("Choice", "Orthogonal")},
    {"init_lora_weights false", QT_TRANSLATE_NOOP("Choice", "Both at random")},
    {"bnb_4bit_quant_type nf4", QT_TRANSLATE_NOOP("Choice", "NF4")},
    {"quantize_scope hf", QT_TRANSLATE_NOOP("Choice", "All but the head")},
    {"quantize_scope language_model", QT_TRANSLATE_NOOP("Choice", "The language model's")},
    {"optim adamw_torch_fused", QT_TRANSLATE_NOOP("Choice", "AdamW")},
    {"optim adamw_torch", QT_TRANSLATE_NOOP("Choice", "AdamW, by its other name")},
    {"optim adamw_8bit", QT_TRANSLATE_NOOP("Choice", "AdamW, 8 bit")},
    {"loss_reduction token", QT_TRANSLATE_NOOP("Choice", "Mean of all answer tokens")},
    {"loss_reduction sample", QT_TRANSLATE_NOOP("Choice", "Mean of the samples' means")},
    {"lr_scheduler_type linear", QT_TRANSLATE_NOOP("Choice", "Linear")},
    {"lr_scheduler_type cosine", QT_TRANSLATE_NOOP("Choice", "Cosine")},
    {"lr_scheduler_type cosine_with_restarts", QT_TRANSLATE_NOOP("Choice", "Cosine with restarts")},
    {"lr_scheduler_type polynomial", QT_TRANSLATE_NOOP("Choice", "Polynomial")},
    {"lr_scheduler_type constant", QT_TRANSLATE_NOOP("Choice", "Constant")},
    {"lr_scheduler_type constant_with_warmup", QT_TRANSLATE_NOOP("Choice", "Constant with warmup")},
    {"lr_scheduler_type inverse_sqrt", QT_TRANSLATE_NOOP("Choice", "Inverse square root")},
    {"lr_scheduler_type cosine_with_min_lr", QT_TRANSLATE_NOOP("Choice", "Cosine to a least rate")},
    {"lr_scheduler_type cosine_warmup_with_min_lr", QT_TRANSLATE_NOOP("Choice", "Cosine with warmup to a least rate")},
    {"lr_scheduler_type warmup_stable_decay", QT_TRANSLATE_NOOP("Choice", "Warmup, stable, decay")},
    {"on_non_finite skip", QT_TRANSLATE_NOOP("Choice", "Leave the step out")},
    {"on_divergence stop", QT_TRANSLATE_NOOP("Choice", "Save and stop")},
    {"on_stall warn", QT_TRANSLATE_NOOP("Choice", "Warn and wait")},
    {"adapter_layout auto", QT_TRANSLATE_NOOP("Choice", "What most readers know")},
    {"adapter_layout A", QT_TRANSLATE_NOOP("Choice", "transformers 4.51 and older")},
    {"adapter_layout B", QT_TRANSLATE_NOOP("Choice", "transformers 4.52 to 5.5")},
    {"adapter_layout C", QT_TRANSLATE_NOOP("Choice", "As PEFT writes today")},
    {"device cpu", QT_TRANSLATE_NOOP("Choice", "CPU")},
    {"device cuda", QT_TRANSLATE_NOOP("Choice", "GPU")},
    {"sharding ddp", QT_TRANSLATE_NOOP("Choice", "A copy each (DDP)")},
    {"sharding sharded", QT_TRANSLATE_NOOP("Choice", "A share each")},
    {"sharding hybrid", QT_TRANSLATE_NOOP("Choice", "Shares within a machine")},
    {"ddp_backend nccl", QT_TRANSLATE_NOOP("Choice", "NCCL")},
    {"ddp_backend gloo", QT_TRANSLATE_NOOP("Choice", "Gloo")},
};

}  // namespace

QString choiceTitle(const config::Field& field, const std::string& choice) {
  static const QHash<QString, const char*> kWords = [] {
    QHash<QString, const char*> words;
    for (const ChoiceTitle& one : kChoices) words[QLatin1String(one.choice)] = one.words;
    return words;
  }();
  const QString value = QString::fromStdString(choice);
  for (const QString& key : {QString::fromStdString(field.name) + QLatin1Char(' ') + value, value})
    if (const auto found = kWords.find(key); found != kWords.end())
      return QCoreApplication::translate("Choice", found.value());
  return value;
}

}  // namespace roadtune::widgets
