// SPDX-License-Identifier: GPL-3.0-or-later
// What fields and sections of the form are called. Those shown at first, and those that presets set, have words that
// are translated; the others are called as they are in the file.
#include "widgets/forms/field_text.h"

#include <QCoreApplication>
#include <QHash>

namespace roadtune::widgets {
namespace {

struct Title {
  const char *field, *words;
};

const Title kTitles[] = {
    {"model_name_or_path", QT_TRANSLATE_NOOP("Field", "Model")},
    {"train_data", QT_TRANSLATE_NOOP("Field", "Training data")},
    {"eval_data", QT_TRANSLATE_NOOP("Field", "Evaluation data")},
    {"task", QT_TRANSLATE_NOOP("Field", "Task")},
    {"classes", QT_TRANSLATE_NOOP("Field", "Classes")},
    {"finetuning_type", QT_TRANSLATE_NOOP("Field", "Method")},
    {"freeze_vision_tower", QT_TRANSLATE_NOOP("Field", "Freeze the vision tower")},
    {"freeze_multi_modal_projector", QT_TRANSLATE_NOOP("Field", "Freeze the projector")},
    {"freeze_language_model", QT_TRANSLATE_NOOP("Field", "Freeze the language model")},
    {"r", QT_TRANSLATE_NOOP("Field", "LoRA rank (r)")},
    {"lora_alpha", QT_TRANSLATE_NOOP("Field", "LoRA alpha")},
    {"lora_dropout", QT_TRANSLATE_NOOP("Field", "LoRA dropout")},
    {"target_modules", QT_TRANSLATE_NOOP("Field", "Target modules")},
    {"load_in_4bit", QT_TRANSLATE_NOOP("Field", "Load in 4 bit")},
    {"per_device_train_batch_size", QT_TRANSLATE_NOOP("Field", "Batch per process")},
    {"gradient_accumulation_steps", QT_TRANSLATE_NOOP("Field", "Accumulated batches")},
    {"num_train_epochs", QT_TRANSLATE_NOOP("Field", "Epochs")},
    {"max_steps", QT_TRANSLATE_NOOP("Field", "Steps at most")},
    {"seed", QT_TRANSLATE_NOOP("Field", "Seed")},
    {"dataloader_num_workers", QT_TRANSLATE_NOOP("Field", "Reading threads")},
    {"learning_rate", QT_TRANSLATE_NOOP("Field", "Learning rate")},
    {"optim", QT_TRANSLATE_NOOP("Field", "Optimizer")},
    {"weight_decay", QT_TRANSLATE_NOOP("Field", "Weight decay")},
    {"max_grad_norm", QT_TRANSLATE_NOOP("Field", "Gradient clipping")},
    {"lr_scheduler_type", QT_TRANSLATE_NOOP("Field", "Learning rate schedule")},
    {"warmup_steps", QT_TRANSLATE_NOOP("Field", "Warmup steps")},
    {"bf16", QT_TRANSLATE_NOOP("Field", "bfloat16")},
    {"fp16", QT_TRANSLATE_NOOP("Field", "float16")},
    {"tf32", QT_TRANSLATE_NOOP("Field", "TF32")},
    {"gradient_checkpointing", QT_TRANSLATE_NOOP("Field", "Gradient checkpointing")},
    {"eval_strategy", QT_TRANSLATE_NOOP("Field", "Eval strategy")},
    {"eval_steps", QT_TRANSLATE_NOOP("Field", "Eval steps")},
    {"per_device_eval_batch_size", QT_TRANSLATE_NOOP("Field", "Evaluation batch per process")},
    {"output_dir", QT_TRANSLATE_NOOP("Field", "Folder of the run")},
    {"logging_steps", QT_TRANSLATE_NOOP("Field", "Logging steps")},
    {"save_strategy", QT_TRANSLATE_NOOP("Field", "Save strategy")},
    {"save_steps", QT_TRANSLATE_NOOP("Field", "Save steps")},
    {"save_total_limit", QT_TRANSLATE_NOOP("Field", "Save total limit")},
    {"device", QT_TRANSLATE_NOOP("Field", "Device")},
    {"nproc_per_node", QT_TRANSLATE_NOOP("Field", "Processes per machine")},
    {"hosts", QT_TRANSLATE_NOOP("Field", "Hosts")},
    {"sharding", QT_TRANSLATE_NOOP("Field", "Sharding")},
    // What the presets set shows, too.
    {"modules", QT_TRANSLATE_NOOP("Field", "Modules")},
    {"exclude_modules", QT_TRANSLATE_NOOP("Field", "Excluded modules")},
    {"min_box_px", QT_TRANSLATE_NOOP("Field", "Smallest box")},
    {"max_boxes", QT_TRANSLATE_NOOP("Field", "Boxes at most")},
    {"box_order", QT_TRANSLATE_NOOP("Field", "Order of the boxes")},
    {"include_empty", QT_TRANSLATE_NOOP("Field", "Keep empty images")},
    {"max_length", QT_TRANSLATE_NOOP("Field", "Greatest length")},
    {"eval_fraction", QT_TRANSLATE_NOOP("Field", "Share held out")},
    {"max_eval_samples", QT_TRANSLATE_NOOP("Field", "Evaluation samples at most")},
    {"bnb_4bit_quant_type", QT_TRANSLATE_NOOP("Field", "4-bit format")},
    {"bnb_4bit_compute_dtype", QT_TRANSLATE_NOOP("Field", "4-bit compute type")},
    {"bnb_4bit_use_double_quant", QT_TRANSLATE_NOOP("Field", "Quantize the 4-bit constants")},
    {"adam_beta2", QT_TRANSLATE_NOOP("Field", "Adam beta 2")},
    {"warmup_ratio", QT_TRANSLATE_NOOP("Field", "Warm-up share")},
    {"vision_tower_learning_rate", QT_TRANSLATE_NOOP("Field", "Learning rate of the vision tower")},
    {"multi_modal_projector_learning_rate", QT_TRANSLATE_NOOP("Field", "Learning rate of the projector")},
    {"language_model_learning_rate", QT_TRANSLATE_NOOP("Field", "Learning rate of the language model")},
    {"load_best_model_at_end", QT_TRANSLATE_NOOP("Field", "Keep the best model")},
    {"torch_num_threads", QT_TRANSLATE_NOOP("Field", "Processor threads")},
    {"master_port", QT_TRANSLATE_NOOP("Field", "Port of the processes")},
    {"nccl_debug", QT_TRANSLATE_NOOP("Field", "Messages of NCCL")},
};

}  // namespace

QString fieldTitle(const config::Field& field) {
  static const QHash<QString, const char*> kOwn = [] {
    QHash<QString, const char*> own;
    for (const Title& one : kTitles) own[QLatin1String(one.field)] = one.words;
    return own;
  }();
  const QString name = QString::fromStdString(field.name);
  if (const auto own = kOwn.find(name); own != kOwn.end()) return QCoreApplication::translate("Field", own.value());
  QString text = name;
  text.replace(QLatin1Char('_'), QLatin1Char(' '));
  text[0] = text[0].toUpper();
  return text;
}

QString sectionWords(config::Section section) {
  static const char* const kWords[] = {QT_TRANSLATE_NOOP("Section", "Model"),
                                       QT_TRANSLATE_NOOP("Section", "Data"),
                                       QT_TRANSLATE_NOOP("Section", "Method"),
                                       QT_TRANSLATE_NOOP("Section", "Training"),
                                       QT_TRANSLATE_NOOP("Section", "Evaluation and output"),
                                       QT_TRANSLATE_NOOP("Section", "Launch")};
  return QCoreApplication::translate("Section", kWords[static_cast<int>(section)]);
}

}  // namespace roadtune::widgets
