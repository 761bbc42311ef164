// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings_panel.h"

#include "app/studio/folder_path.h"
#include "app/studio/folder_rows.h"
#include "app/studio/language.h"
#include "core/config/scalars.h"
#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/roles.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
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
      m_newRuns(new QLineEdit),
      m_refused(widgets::secondaryLabel({})),
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
  auto* newRuns = new QLabel(tr("New runs go to"));
  newRuns->setBuddy(m_newRuns);
  grid->addWidget(newRuns, 2, 0);
  grid->addWidget(m_newRuns, 2, 1);
  grid->addWidget(m_refused, 3, 1);
  grid->addWidget(new QLabel(tr("Runs are looked for in")), 4, 0, Qt::AlignTop);
  grid->addWidget(m_folders, 4, 1);
  grid->setRowStretch(4, 1);
  auto* layout = widgets::column(panel(), 16);
  layout->setContentsMargins(24, 20, 24, 20);
  layout->addWidget(widgets::titleLabel(tr("Settings")));
  layout->addLayout(grid, 1);
  layout->addWidget(m_done, 0, Qt::AlignRight);
  makeNewRuns();
  connect(m_folders, &FolderRows::removeRequested, this, &SettingsPanel::removeFolder);
  connect(m_done, &QPushButton::clicked, this, &Overlay::close);
  connect(m_theme, &QComboBox::activated, this,
          [this] { emit themeChosen(static_cast<ThemeChoice>(m_theme->currentData().toInt())); });
  connect(m_language, &QComboBox::activated, this, [this] {
    emit languageChosen(m_language->currentData().toString());
    m_later->show();
  });
}

void SettingsPanel::makeNewRuns() {
  m_newRuns->setObjectName(QStringLiteral("newRunsFolder"));
  m_newRuns->setAccessibleName(tr("Folder of new runs"));
  m_refused->setObjectName(QStringLiteral("newRunsRefused"));
  m_refused->setWordWrap(true);
  m_refused->setForegroundRole(widgets::kBadRole);
  QAction* browse = m_newRuns->addAction(widgets::icon(QStringLiteral("folder"), true), QLineEdit::TrailingPosition);
  browse->setObjectName(QStringLiteral("browseNewRuns"));
  browse->setToolTip(tr("Choose a folder"));
  connect(m_newRuns, &QLineEdit::editingFinished, this, &SettingsPanel::takeNewRuns);
  connect(browse, &QAction::triggered, this, [this] {
    auto* dialog = new QFileDialog(window(), tr("Folder of new runs"), m_settings.newRunsFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("newRunsDialog"));
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
      m_newRuns->setText(folder);
      takeNewRuns();
    });
    dialog->open();
  });
}

// Empty means the default again. What cannot be a folder of this user's is refused at once, not when a run starts.
void SettingsPanel::takeNewRuns() {
  const QString typed = m_newRuns->text().trimmed();
  const QString folder = typed.isEmpty()
                             ? Settings::defaultRunsFolder()
                             : QDir::cleanPath(QString::fromStdString(config::expandHome(typed.toStdString())));
  m_refused->hide();
  if (folder == m_settings.newRunsFolder()) return m_newRuns->setText(folder);
  const QFileInfo there(existingPart(folder));
  if (QDir::isRelativePath(folder)) return refuse(tr("A whole path is needed, from / on."));
  if (!there.isDir()) return refuse(tr("%1 is a file.").arg(there.filePath()));
  if (!there.isWritable()) return refuse(tr("Nothing can be written to %1.").arg(there.filePath()));
  m_settings.setNewRunsFolder(folder);
  m_newRuns->setText(folder);
  showFolders();
  emit newRunsFolderChosen(folder);
}

void SettingsPanel::refuse(const QString& why) {
  m_refused->setText(why);
  m_refused->show();
  place();
}

void SettingsPanel::showFolders() {
  m_folders->setFolders(m_settings.runRoots(), {Settings::defaultFolder(), m_settings.newRunsFolder()});
  place();
}

// As high as what is in it; of many folders a few show, the others are scrolled to.
QSize SettingsPanel::panelSize(const QSize&) const { return {560, panel()->layout()->sizeHint().height()}; }

void SettingsPanel::onOpen() {
  m_theme->setCurrentIndex(m_theme->findData(static_cast<int>(m_settings.theme())));
  m_language->setCurrentIndex(std::max(0, m_language->findData(m_settings.language())));
  m_later->hide();
  m_refused->hide();
  m_newRuns->setText(m_settings.newRunsFolder());
  m_newRuns->setCursorPosition(0);
  showFolders();
  m_theme->setFocus();
}

// The folder itself and its runs stay where they are.
void SettingsPanel::removeFolder(const QString& folder) {
  m_done->setFocus();
  m_settings.removeRunRoot(folder);
  showFolders();
  emit folderRemoved(folder);
}

}  // namespace roadtune::studio
