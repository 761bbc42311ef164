// SPDX-License-Identifier: GPL-3.0-or-later
// Names of quantities: the parts of a memory plan (core/model/memory_plan.cpp) and the metrics of a run
// (core/runs/shown_metrics.cpp).
#include "widgets/common/told_patterns.h"
#include "widgets/common/told_words.h"

#include <QCoreApplication>

namespace roadtune::widgets {
namespace {

constexpr const char* kQuantities[] = {
    QT_TRANSLATE_NOOP("Quantity", "frozen weights"),
    QT_TRANSLATE_NOOP("Quantity", "4-bit weights"),
    QT_TRANSLATE_NOOP("Quantity", "4-bit constants"),
    QT_TRANSLATE_NOOP("Quantity", "trained weights"),
    QT_TRANSLATE_NOOP("Quantity", "adapters"),
    QT_TRANSLATE_NOOP("Quantity", "gradients"),
    QT_TRANSLATE_NOOP("Quantity", "optimizer (%1)"),
    QT_TRANSLATE_NOOP("Quantity", "averaged weights"),
    QT_TRANSLATE_NOOP("Quantity", "gathered: embeddings, projector"),
    QT_TRANSLATE_NOOP("Quantity", "gathered: blocks in work"),
    QT_TRANSLATE_NOOP("Quantity", "gradients of the ends on their way"),
    QT_TRANSLATE_NOOP("Quantity", "16-bit copies of trained weights"),
    QT_TRANSLATE_NOOP("Quantity", "activations, vision tower"),
    QT_TRANSLATE_NOOP("Quantity", "activations, language model"),
    QT_TRANSLATE_NOOP("Quantity", "embeddings, masks, pictures"),
    QT_TRANSLATE_NOOP("Quantity", "logits and their gradient"),
    QT_TRANSLATE_NOOP("Quantity", "backward pass of one block"),
    QT_TRANSLATE_NOOP("Quantity", "CUDA and its libraries"),
    QT_TRANSLATE_NOOP("Quantity", "kept vision features"),
    QT_TRANSLATE_NOOP("Quantity", "Loss"),
    QT_TRANSLATE_NOOP("Quantity", "Evaluation loss"),
    QT_TRANSLATE_NOOP("Quantity", "Samples per second"),
    QT_TRANSLATE_NOOP("Quantity", "Tokens per second"),
    QT_TRANSLATE_NOOP("Quantity", "Gradient norm"),
    QT_TRANSLATE_NOOP("Quantity", "Model FLOPs utilisation, percent"),
    QT_TRANSLATE_NOOP("Quantity", "TFLOP per second"),
    QT_TRANSLATE_NOOP("Quantity", "Gradient norm of the vision tower"),
    QT_TRANSLATE_NOOP("Quantity", "Gradient norm of the projector"),
    QT_TRANSLATE_NOOP("Quantity", "Gradient norm of the language model"),
    QT_TRANSLATE_NOOP("Quantity", "Reading, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Tokenising, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Copying to the device, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Learning rate"),
    QT_TRANSLATE_NOOP("Quantity", "Seconds per step"),
    QT_TRANSLATE_NOOP("Quantity", "Memory of the trainer, bytes"),
    QT_TRANSLATE_NOOP("Quantity", "Waiting for data, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Decoding, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Forward, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Backward, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Communication, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Optimizer, seconds"),
    QT_TRANSLATE_NOOP("Quantity", "Other, seconds"),
};

}  // namespace

QString quantityWords(const std::string& english) {
  static const ToldPatterns kPatterns("Quantity", kQuantities, ToldPatterns::Numbers::OnlyWithUnits);
  return kPatterns.translate(QString::fromStdString(english));
}

}  // namespace roadtune::widgets
