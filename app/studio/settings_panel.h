// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/settings.h"
#include "widgets/frame/overlay.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace roadtune::studio {

class FolderRows;

// What can be set for the whole program: its look and language, where runs go and are looked for.
class SettingsPanel : public widgets::Overlay {
  Q_OBJECT
 public:
  SettingsPanel(Settings& settings, QWidget* window);

 signals:
  void themeChosen(roadtune::widgets::ThemeChoice choice);
  void languageChosen(const QString& code);  // empty: as the desktop
  void folderRemoved(const QString& folder);
  void newRunsFolderChosen(const QString& folder);

 protected:
  QSize panelSize(const QSize& window) const override;
  void onOpen() override;

 private:
  void makeNewRuns();
  void takeNewRuns();
  void refuse(const QString& why);
  void removeFolder(const QString& folder);
  void showFolders();
  Settings& m_settings;
  QComboBox *m_theme, *m_language;
  QLabel* m_later;
  QLineEdit* m_newRuns;
  QLabel* m_refused;
  FolderRows* m_folders;
  QPushButton* m_done;
};

}  // namespace roadtune::studio
