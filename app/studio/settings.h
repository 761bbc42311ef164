// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/settings_store.h"
#include "widgets/common/theme.h"
#include "widgets/models/run_marks.h"
#include "widgets/models/run_order.h"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>

namespace roadtune::studio {

// What the studio remembers between two starts, one typed pair per thing. UI thread only.
class Settings {
 public:
  widgets::ThemeChoice theme() const;
  void setTheme(widgets::ThemeChoice choice);

  QString language() const;  // a code; empty: as the desktop
  void setLanguage(const QString& code);

  QByteArray geometry() const;
  void setGeometry(const QByteArray& bytes);
  QByteArray splitter(const QString& name) const;
  void setSplitter(const QString& name, const QByteArray& bytes);

  QStringList hiddenPanels() const;  // as the window names them
  void setHiddenPanels(const QStringList& panels);
  int page() const;
  void setPage(int page);
  QString lastRun() const;
  void setLastRun(const QString& folder);
  QString lastData() const;
  void setLastData(const QString& folder);
  QString lastConfig() const;
  void setLastConfig(const QString& file);
  int thumbnailWidth() const;
  void setThumbnailWidth(int width);
  bool groupedBySegment() const;
  void setGroupedBySegment(bool grouped);
  bool projectedShown() const;  // labels of the laser over an image
  void setProjectedShown(bool shown);

  QString newRunsFolder() const;  // where a run goes that was given no other place
  void setNewRunsFolder(const QString& folder);
  // Folders below which runs are looked for; the default one and that of new runs are always among them.
  QStringList runRoots() const;
  void removeRunRoot(const QString& folder);
  void addRunRoot(const QString& folder);
  // Machines of the fleet in the order they were added: name and group.
  QList<QPair<QString, QString>> machines() const;
  void setMachines(const QList<QPair<QString, QString>>& machines);
  widgets::RunOrder runOrder() const;
  void setRunOrder(widgets::RunOrder order);
  widgets::RunMarksByFolder runMarks() const;
  void setRunMarks(const widgets::RunMarksByFolder& marks);

  static QString defaultRunsFolder();
  static QString defaultFolder();  // where all goes that was given no other place

 private:
  QVariant read(const char* key, const QVariant& fallback = {}) const;
  void write(const char* key, const QVariant& value);
  SettingsStore m_store;
};

}  // namespace roadtune::studio
