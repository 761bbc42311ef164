// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/field_text.h"

#include "core/base/units.h"

#include <QCoreApplication>
#include <QHash>

namespace roadtune::widgets {
namespace {

QString say(const char* text) { return QCoreApplication::translate("Field", text); }

config::Value listOf(const QString& text, bool numbers) {
  config::Value::List list;
  for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    const QString word = part.trimmed();
    bool whole = false;
    const qlonglong number = word.toLongLong(&whole);
    if (numbers && whole) {
      list.emplace_back(static_cast<std::int64_t>(number));
    } else {
      list.emplace_back(word.toStdString());
    }
  }
  return list;
}

}  // namespace

QString fieldTitle(const config::Field& field) {
  static const QHash<QString, const char*> kOwn = {{"r", "LoRA rank (r)"},
                                                   {"lora_alpha", "LoRA alpha"},
                                                   {"lora_dropout", "LoRA dropout"},
                                                   {"bf16", "bfloat16"},
                                                   {"fp16", "float16"},
                                                   {"tf32", "TF32"},
                                                   {"model_name_or_path", "Model"},
                                                   {"train_data", "Training data"},
                                                   {"eval_data", "Evaluation data"},
                                                   {"output_dir", "Folder of the run"},
                                                   {"per_device_train_batch_size", "Batch per process"},
                                                   {"per_device_eval_batch_size", "Evaluation batch per process"},
                                                   {"gradient_accumulation_steps", "Accumulated batches"},
                                                   {"num_train_epochs", "Epochs"},
                                                   {"max_steps", "Steps at most"},
                                                   {"finetuning_type", "Method"},
                                                   {"freeze_vision_tower", "Freeze the vision tower"},
                                                   {"freeze_multi_modal_projector", "Freeze the projector"},
                                                   {"freeze_language_model", "Freeze the language model"},
                                                   {"nproc_per_node", "Processes per machine"},
                                                   {"load_in_4bit", "Load in 4 bit"},
                                                   {"optim", "Optimizer"},
                                                   {"lr_scheduler_type", "Learning rate schedule"},
                                                   {"max_grad_norm", "Gradient clipping"},
                                                   {"dataloader_num_workers", "Reading threads"}};
  const QString name = QString::fromStdString(field.name);
  if (const auto own = kOwn.find(name); own != kOwn.end()) return say(own.value());
  QString text = name;
  text.replace(QLatin1Char('_'), QLatin1Char(' '));
  text[0] = text[0].toUpper();
  return text;
}

QString fieldHelp(const config::Field& field) {
  QString text = QString::fromStdString(field.help);
  if (field.minimum || field.maximum) {
    const auto number = [](double value) { return QString::fromStdString(formatNumber(value, 6)); };
    text += QLatin1Char('\n');
    if (field.minimum && field.maximum)
      text += say("From %1 to %2.").arg(number(*field.minimum), number(*field.maximum));
    else if (field.minimum)
      text += (field.minimumExcluded ? say("More than %1.") : say("At least %1.")).arg(number(*field.minimum));
    else
      text += say("At most %1.").arg(number(*field.maximum));
  }
  return text + QLatin1Char('\n') + QString::fromStdString(field.name);
}

std::optional<QString> editorText(const config::Value& value) {
  using Kind = config::Value::Kind;
  switch (value.kind()) {
    case Kind::Null: return QString();
    case Kind::Text: return QString::fromStdString(value.text());
    case Kind::List: {
      QStringList words;
      for (const config::Value& item : value.list()) {
        if (item.isList() || item.isMap()) return {};
        words << QString::fromStdString(config::toDisplay(item));
      }
      return words.join(QStringLiteral(", "));
    }
    case Kind::Map:
      if (value.map().empty()) return QString();
      return {};
    default: return QString::fromStdString(config::toYaml(value));
  }
}

config::Value typedValue(const config::Field& field, const QString& text) {
  using Type = config::FieldType;
  const QString word = text.trimmed();
  if (word.isEmpty()) return {};
  bool ok = false;
  switch (field.type) {
    case Type::Integer:
      if (const qlonglong number = QString(word).remove(QLatin1Char(',')).toLongLong(&ok); ok)
        return static_cast<std::int64_t>(number);
      break;
    case Type::Number:
      if (const qlonglong whole = word.toLongLong(&ok); ok) return static_cast<std::int64_t>(whole);
      if (const double number = word.toDouble(&ok); ok) return number;
      break;
    case Type::List: return listOf(word, false);
    case Type::Integers: return listOf(word, true);
    case Type::TextOrList:
    case Type::Sources:
      if (word.contains(QLatin1Char(',')) && !word.contains(QLatin1Char('(')) && !word.contains(QLatin1Char('{')))
        return listOf(word, false);
      break;
    default: break;
  }
  return word.toStdString();
}

}  // namespace roadtune::widgets
