// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/fleet/machine_reading.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace roadtune::widgets {

QString machineTitle(const QString& host) {
  return host == kThisMachine ? QCoreApplication::translate("Check", "This machine") : host;
}

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
      {"same glibc", QT_TRANSLATE_NOOP("Check", "Same C library")},
      {"nccl", QT_TRANSLATE_NOOP("Check", "NCCL")},
      {"same nccl", QT_TRANSLATE_NOOP("Check", "Same NCCL")},
      {"data", QT_TRANSLATE_NOOP("Check", "Data")},
      {"links", QT_TRANSLATE_NOOP("Check", "Links")},
      {"all-reduce", QT_TRANSLATE_NOOP("Check", "Sum over all")}};
  // Of two machines, or of one among the others: "link gpu1 → gpu2", "all-reduce gpu1 ↔ gpu2".
  static const std::pair<const char*, const char*> kPairs[] = {{"link ", QT_TRANSLATE_NOOP("Check", "Link %1")},
                                                               {"all-reduce ", QT_TRANSLATE_NOOP("Check", "Sum %1")}};
  if (const auto data = QStringLiteral("data "); key.startsWith(data))
    return QCoreApplication::translate("Check", "Data %1").arg(QFileInfo(key.mid(data.size())).fileName());
  if (const auto reads = QStringLiteral("reads "); key.startsWith(reads))
    return QCoreApplication::translate("Check", "Reading %1").arg(QFileInfo(key.mid(reads.size())).fileName());
  for (const auto& [name, title] : kTitles) {
    if (key == QLatin1String(name)) return QCoreApplication::translate("Check", title);
  }
  for (const auto& [start, title] : kPairs) {
    if (key.startsWith(QLatin1String(start)))
      return QCoreApplication::translate("Check", title).arg(key.mid(static_cast<int>(qstrlen(start))));
  }
  return key;
}

}  // namespace roadtune::widgets
