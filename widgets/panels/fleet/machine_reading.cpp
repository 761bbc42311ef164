// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/machine_reading.h"

#include <QCoreApplication>

#include <algorithm>

namespace roadtune::widgets {

bool PreflightColumn::usable() const {
  return std::none_of(checks.begin(), checks.end(),
                      [](const PreflightCheck& check) { return check.verdict == PreflightCheck::Verdict::Bad; });
}

QString checkTitle(const QString& key) {
  static const std::pair<const char*, const char*> kTitles[] = {
      {"reach", QT_TRANSLATE_NOOP("Check", "Connection")},
      {"system", QT_TRANSLATE_NOOP("Check", "System")},
      {"cpu", QT_TRANSLATE_NOOP("Check", "Processor")},
      {"memory", QT_TRANSLATE_NOOP("Check", "Memory")},
      {"disk", QT_TRANSLATE_NOOP("Check", "Disk")},
      {"shm", QT_TRANSLATE_NOOP("Check", "Shared memory")},
      {"limits", QT_TRANSLATE_NOOP("Check", "Open files")},
      {"driver", QT_TRANSLATE_NOOP("Check", "Graphics driver")},
      {"gpu", QT_TRANSLATE_NOOP("Check", "Graphics cards")},
      {"clock", QT_TRANSLATE_NOOP("Check", "Clock")},
      {"trainer", QT_TRANSLATE_NOOP("Check", "Trainer")},
      {"agent", QT_TRANSLATE_NOOP("Check", "Agent")},
      {"torch", QT_TRANSLATE_NOOP("Check", "Torch")},
      {"same driver", QT_TRANSLATE_NOOP("Check", "Same driver")},
      {"same cuda", QT_TRANSLATE_NOOP("Check", "Same CUDA")},
      {"same glibc", QT_TRANSLATE_NOOP("Check", "Same C library")}};
  for (const auto& [name, title] : kTitles) {
    if (key == QLatin1String(name)) return QCoreApplication::translate("Check", title);
  }
  return key;
}

}  // namespace roadtune::widgets
