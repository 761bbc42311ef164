// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings_panel.h"

#include "app/studio/folder_rows.h"
#include "app/studio/language.h"
#include "widgets/common/controls.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace roadtune::studio {

using widgets::ThemeChoice;

SettingsPanel::SettingsPanel(Settings& settings, QWidget* window)
    : Overlay(window),
      m_settings(settings),
      m_theme(new QComboBox),
      m_language(new QComboBox),
      m_later(widgets::secondaryLabel(tr("From the next start on."))),
      m_folders(new FolderRows),
      m_done(widgets::plainButton(tr("Done"), QStringLiteral("settingsDone"))) {
  setObjectName(QStringLiteral("settingsPanel"));
  m_theme->setObjectName(QStringLiteral("themeChoice"));
  m_theme->setAccessibleName(tr("Theme"));
  m_theme->addItem(tr("As the desktop"), static_cast<int>(ThemeChoice::Desktop));
  m_theme->addItem(tr("Light"), static_cast<int>(ThemeChoice::Light));
  m_theme->addItem(tr("Dark"), static_cast<int>(ThemeChoice::Dark));
  m_language->setObjectName(QStringLiteral("languageChoice"));
  m_language->setAccessibleName(tr("Language"));
  m_language->addItem(tr("As the desktop"), QString());
  for (const Language& one : languages()) m_language->addItem(QString::fromUtf8(one.name), QLatin1String(one.code));
  m_later->setObjectName(QStringLiteral("languageLater"));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(24);
  grid->setVerticalSpacing(12);
  grid->setColumnStretch(1, 1);
  grid->addWidget(new QLabel(tr("Theme")), 0, 0);
  grid->addWidget(m_theme, 0, 1, Qt::AlignLeft);
  grid->addWidget(new QLabel(tr("Language")), 1, 0);
  auto* language = widgets::row();
  language->addWidget(m_language);
  language->addWidget(m_later);
  language->addStretch(1);
  grid->addLayout(language, 1, 1);
  grid->addWidget(new QLabel(tr("Runs are looked for in")), 2, 0, Qt::AlignTop);
  grid->addWidget(m_folders, 2, 1);
  grid->setRowStretch(2, 1);
  auto* layout = widgets::column(panel(), 16);
  layout->setContentsMargins(24, 20, 24, 20);
  layout->addWidget(widgets::titleLabel(tr("Settings")));
  layout->addLayout(grid, 1);
  layout->addWidget(m_done, 0, Qt::AlignRight);
  connect(m_folders, &FolderRows::removeRequested, this, &SettingsPanel::removeFolder);
  connect(m_done, &QPushButton::clicked, this, &Overlay::close);
  connect(m_theme, &QComboBox::activated, this,
          [this] { emit themeChosen(static_cast<ThemeChoice>(m_theme->currentData().toInt())); });
  connect(m_language, &QComboBox::activated, this, [this] {
    emit languageChosen(m_language->currentData().toString());
    m_later->show();
  });
}

QSize SettingsPanel::panelSize(const QSize&) const { return {560, 320}; }

void SettingsPanel::onOpen() {
  m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(m_settings.theme())));
  m_language->setCurrentIndex(std::max(0, m_language->findData(m_settings.language())));
  m_later->hide();
  m_folders->setFolders(m_settings.runRoots(), Settings::defaultFolder());
  m_theme->setFocus();
}

// The folder itself and its runs stay where they are.
void SettingsPanel::removeFolder(const QString& folder) {
  m_done->setFocus();
  m_settings.removeRunRoot(folder);
  m_folders->setFolders(m_settings.runRoots(), Settings::defaultFolder());
  emit folderRemoved(folder);
}

}  // namespace roadtune::studio
