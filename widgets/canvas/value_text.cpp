// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/value_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace roadtune::widgets {
namespace {

[[maybe_unused]] constexpr const char* kValues[] = {
    QT_TRANSLATE_NOOP("Value", "Day"),       QT_TRANSLATE_NOOP("Value", "Night"),
    QT_TRANSLATE_NOOP("Value", "Dawn/Dusk"), QT_TRANSLATE_NOOP("Value", "Sunny"),
    QT_TRANSLATE_NOOP("Value", "Rain"),      QT_TRANSLATE_NOOP("Value", "Other"),
    QT_TRANSLATE_NOOP("Value", "Training"),  QT_TRANSLATE_NOOP("Value", "Validation"),
    QT_TRANSLATE_NOOP("Value", "Testing"),
};

// Whether a value is of a vocabulary that is written in the window's own way; people's names are shown as they wrote
// them.
bool isOwnWord(const std::string& field, const QString& value) {
  static const QStringList kClasses = {QStringLiteral("vehicle"), QStringLiteral("pedestrian"), QStringLiteral("sign"),
                                       QStringLiteral("cyclist"), QStringLiteral("unknown")};
  static const QStringList kSplits = {QStringLiteral("training"), QStringLiteral("validation"),
                                      QStringLiteral("testing")};
  if (field == "class") return kClasses.contains(value);
  if (field == "split") return kSplits.contains(value);
  return field == "time" || field == "weather" || field == "location";
}

}  // namespace

QString valueText(const std::string& field, const std::string& value) {
  QString text = QString::fromStdString(value);
  if (!isOwnWord(field, text)) return text;
  const bool place = field == "location" && text.startsWith(QLatin1String("location_"));
  if (place) text.remove(0, 9);
  text.replace(QLatin1Char('_'), QLatin1Char(' '));
  if (place && text.size() <= 3) return text.toUpper();  // sf, phx
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  // Words that Waymo's data uses are said in the window's language; classes and tags are names.
  const bool word = field == "split" || field == "time" || field == "weather" || place;
  return word ? QCoreApplication::translate("Value", text.toUtf8().constData()) : text;
}

}  // namespace roadtune::widgets
