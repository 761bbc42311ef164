// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/field_text.h"

#include "core/base/units.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/told_words.h"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>
#include <QRegularExpression>

namespace roadtune::widgets {
namespace {

struct FieldWords {
  Q_DECLARE_TR_FUNCTIONS(Field)
};

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

// What a run cannot do without, as what there is to do.
QString missingText(const config::Field& field) {
  if (field.name == "model_name_or_path") return FieldWords::tr("Choose a model folder");
  if (field.name == "train_data") return FieldWords::tr("Choose training data");
  if (field.name == "output_dir") return FieldWords::tr("Choose a folder for the run");
  return FieldWords::tr("Choose: %1").arg(fieldTitle(field));
}

// "0,001" where that is how numbers are written, or where it can mean nothing else: "1,000" may be a thousand.
QString withPoint(const QString& word) {
  static const QRegularExpression kOneComma(QStringLiteral("^[+-]?\\d*,\\d+([eE][+-]?\\d+)?$")),
      kThousands(QStringLiteral("^[+-]?[1-9]\\d{0,2},\\d{3}$"));
  const bool decimal = QLocale().decimalPoint() == QLatin1String(",") || !kThousands.match(word).hasMatch();
  return decimal && kOneComma.match(word).hasMatch() ? QString(word).replace(QLatin1Char(','), QLatin1Char('.')) : word;
}

// "12,800" as well as "12.800": no whole number has decimals.
QString withoutGroups(const QString& word) {
  static const QRegularExpression kGroups(QStringLiteral("^[+-]?\\d{1,3}(([,.])\\d{3}(\\2\\d{3})*)$"));
  return kGroups.match(word).hasMatch() ? QString(word).remove(QLatin1Char(',')).remove(QLatin1Char('.')) : word;
}

// Shown and typed in hundredths.
bool isPercent(const config::Field& field) { return field.name == "eval_fraction"; }

}  // namespace

QString fieldProblemText(config::Problem problem) {
  static const std::string kKey = "leave the key out";
  if (problem.hint.starts_with(kKey)) problem.hint.replace(0, kKey.size(), "leave the field empty");
  if (const std::string own = problem.key + ": "; problem.hint.starts_with(own)) problem.hint.erase(0, own.size());
  return problemText(problem);
}

bool isMissing(const config::Problem& problem) {
  return config::findField(problem.key) && problem.message.starts_with("is missing:");
}

QString problemText(const config::Problem& problem) {
  if (isMissing(problem)) return missingText(*config::findField(problem.key));
  QString text = problemWords(problem.message);
  if (!config::findField(text.section(QLatin1Char(' '), 0, 0).toStdString())) text = sentence(text);  // "optim needs"
  if (problem.hint.empty()) return text;
  return text + QStringLiteral(". ") + FieldWords::tr("Try: %1").arg(problemWords(problem.hint));
}

// The sentences stand in the schema, which knows no Qt; `./dev translate` asks the command line for them.
QString schemaWords(const std::string& english) { return QCoreApplication::translate("Schema", english.c_str()); }

QString fieldHelp(const config::Field& field) {
  QString text = schemaWords(field.help);
  if (field.minimum || field.maximum) {
    const auto number = [](double value) { return QString::fromStdString(formatNumber(value, 6)); };
    text += QLatin1Char('\n');
    if (field.minimum && field.maximum)
      text += FieldWords::tr("From %1 to %2.").arg(number(*field.minimum), number(*field.maximum));
    else if (field.minimum)
      text += (field.minimumExcluded ? FieldWords::tr("More than %1.") : FieldWords::tr("At least %1."))
                  .arg(number(*field.minimum));
    else
      text += FieldWords::tr("At most %1.").arg(number(*field.maximum));
  }
  return text + QLatin1Char('\n') + QString::fromStdString(field.name);
}

QString unsetText(const config::Field& field) {
  if (field.name == "max_steps") return schemaWords("no limit");
  return field.required && field.unset.empty() ? FieldWords::tr("required") : schemaWords(field.unset);
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

std::optional<QString> editorText(const config::Field& field, const config::Value& value) {
  const bool number = value.kind() == config::Value::Kind::Number || value.kind() == config::Value::Kind::Integer;
  if (!number) return editorText(value);
  if (field.name == "max_steps" && value.number() < 0) return QString();
  if (isPercent(field)) return QString::fromStdString(formatNumber(100 * value.number(), 6)) + QStringLiteral(" %");
  return editorText(value);
}

QString homeShortened(const QString& path) {
  const QString home = QDir::homePath();
  return home.size() > 1 && path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

config::Value typedValue(const config::Field& field, const QString& text) {
  using Type = config::FieldType;
  const QString word = text.trimmed();
  if (word.isEmpty()) return {};
  bool ok = false;
  if (isPercent(field)) {
    const bool marked = word.endsWith(QLatin1Char('%'));
    const double number = withPoint(marked ? word.chopped(1).trimmed() : word).toDouble(&ok);
    if (ok && (marked || number >= 1)) return number / 100;  // no share is larger
  }
  switch (field.type) {
    case Type::Integer:
      if (const qlonglong number = withoutGroups(word).toLongLong(&ok); ok) return static_cast<std::int64_t>(number);
      break;
    case Type::Number:
      if (const qlonglong whole = word.toLongLong(&ok); ok) return static_cast<std::int64_t>(whole);
      if (const double number = withPoint(word).toDouble(&ok); ok) return number;
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
