// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/export_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"
#include "widgets/panels/data/export_target.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

struct Format {
  const char* name;
  const char* words;
  const char* about;
  const char* ending;  // empty: a folder
};
const Format kFormats[] = {
    {"jsonl", QT_TRANSLATE_NOOP("Export", "JSONL"),
     QT_TRANSLATE_NOOP("Export", "One line per image with everything the index knows."), ".jsonl"},
    {"coco", QT_TRANSLATE_NOOP("Export", "COCO"),
     QT_TRANSLATE_NOOP("Export", "One JSON for pycocotools and most trainers."), ".json"},
    {"yolo", QT_TRANSLATE_NOOP("Export", "YOLO"),
     QT_TRANSLATE_NOOP("Export", "A folder with data.yaml and a text file per image."), ""},
    {"kitti", QT_TRANSLATE_NOOP("Export", "KITTI"),
     QT_TRANSLATE_NOOP("Export", "A folder with a label file per image."), ""},
    {"voc", QT_TRANSLATE_NOOP("Export", "Pascal VOC"),
     QT_TRANSLATE_NOOP("Export", "A folder with an XML file per image."), ""},
    {"paligemma", QT_TRANSLATE_NOOP("Export", "PaliGemma prompts"),
     QT_TRANSLATE_NOOP("Export", "JSONL of prompts and answers with location tokens."), ".jsonl"},
    {"waymo-objects", QT_TRANSLATE_NOOP("Export", "Waymo Objects"),
     QT_TRANSLATE_NOOP("Export", "One message for Waymo's own evaluation tools."), ".bin"}};

const Format& formatOf(const QString& name) {
  for (const Format& one : kFormats) {
    if (name == QLatin1String(one.name)) return one;
  }
  return kFormats[0];
}

constexpr int kFieldWidth = 128;

QSpinBox* spin(const QString& name, const QString& accessible, int low, int high) {
  auto* box = new QSpinBox;
  box->setObjectName(name);
  box->setAccessibleName(accessible);
  box->setRange(low, high);
  box->setFixedWidth(kFieldWidth);
  return box;
}

}  // namespace

ExportPanel::ExportPanel(QWidget* parent)
    : QWidget(parent),
      m_count(new QLabel),
      m_query(new ElidedLabel),
      m_format(new QComboBox),
      m_about(secondaryLabel({})),
      m_to(new QLineEdit),
      m_pictures(new QCheckBox(tr("Copy the pictures too, unchanged"))),
      m_minBox(spin(QStringLiteral("exportMinBox"), tr("Shorter side of the smallest box"), 0, 500)),
      m_side(new QComboBox),
      m_every(spin(QStringLiteral("exportEvery"), tr("Every so many frames of a recording"), 1, 1000)),
      m_holdOut(spin(QStringLiteral("exportHoldOut"), tr("Recordings held out for validation"), 0, 90)),
      m_progress(new WorkProgress(QStringLiteral("export"))),
      m_outcome(new QLabel),
      m_open(plainButton(tr("Open folder"), QStringLiteral("exportOpenFolder"))) {
  setObjectName(QStringLiteral("exportPanel"));
  m_outcome->setObjectName(QStringLiteral("exportOutcome"));
  m_outcome->setWordWrap(true);
  auto* end = row(nullptr, 8);
  end->addWidget(m_outcome, 1);
  end->addWidget(m_open, 0, Qt::AlignTop);
  auto* layout = column(this, 12);
  layout->setContentsMargins(12, 8, 12, 12);
  layout->addWidget(m_form = makeForm());
  layout->addWidget(m_progress);
  layout->addLayout(end);
  layout->addStretch(1);
  m_progress->hide();
  m_outcome->hide();
  m_open->hide();
  connect(m_progress, &WorkProgress::cancelRequested, this, &ExportPanel::cancelRequested);
  connect(m_open, &QPushButton::clicked, this, &ExportPanel::openFolderRequested);
  formatChosen();
}

QWidget* ExportPanel::makeForm() {
  auto* form = new QWidget;
  m_count->setObjectName(QStringLiteral("exportCount"));
  m_query->setObjectName(QStringLiteral("exportQuery"));
  m_query->setFont(codeFont());
  m_format->setObjectName(QStringLiteral("exportFormat"));
  m_format->setAccessibleName(tr("Format"));
  for (const Format& one : kFormats)
    m_format->addItem(QCoreApplication::translate("Export", one.words), QLatin1String(one.name));
  m_about->setWordWrap(true);
  m_to->setObjectName(QStringLiteral("exportTo"));
  m_to->setAccessibleName(tr("Where the export goes"));
  m_pictures->setObjectName(QStringLiteral("exportPictures"));
  auto* browse = iconButton(QStringLiteral("folder"), tr("Choose where it goes"), QStringLiteral("exportTarget"));
  auto* to = row(nullptr, 4);
  to->addWidget(m_to, 1);
  to->addWidget(browse);
  m_start = primaryButton(tr("Export"), QStringLiteral("exportStart"));
  m_start->setAutoDefault(true);  // Enter works where the focus is
  auto* buttons = row();
  buttons->addStretch(1);
  buttons->addWidget(m_start);
  auto* layout = column(form, 4);
  layout->addWidget(m_count);
  layout->addWidget(m_query);
  layout->addSpacing(8);
  layout->addWidget(secondaryLabel(tr("Format")));
  layout->addWidget(m_format);
  layout->addWidget(m_about);
  layout->addSpacing(8);
  layout->addWidget(secondaryLabel(tr("Goes to")));
  layout->addLayout(to);
  layout->addWidget(m_pictures);
  layout->addSpacing(8);
  layout->addWidget(makeAmounts());
  layout->addSpacing(8);
  layout->addWidget(m_taken = makeTaken());
  layout->addLayout(buttons);
  connect(m_format, &QComboBox::activated, this, &ExportPanel::formatChosen);
  connect(browse, &QToolButton::clicked, this, &ExportPanel::targetRequested);
  connect(m_to, &QLineEdit::textEdited, this, [this] { m_ownTarget = true; });
  connect(m_to, &QLineEdit::textChanged, this, &ExportPanel::refresh);
  connect(m_start, &QPushButton::clicked, this, [this] { emit exportRequested(wish()); });
  return form;
}

QWidget* ExportPanel::makeAmounts() {
  auto* box = new QWidget;
  m_minBox->setSpecialValueText(tr("all"));
  m_minBox->setSuffix(tr(" px"));
  m_every->setSpecialValueText(tr("all"));
  m_holdOut->setSpecialValueText(tr("none"));
  m_holdOut->setSuffix(QStringLiteral(" %"));
  m_side->setObjectName(QStringLiteral("exportSide"));
  m_side->setAccessibleName(tr("Where the smallest box is measured"));
  m_side->addItem(tr("in the picture"), 0);
  for (const int side : {224, 448, 896}) m_side->addItem(tr("at %1 pixels").arg(side), side);
  m_side->setEnabled(false);
  auto* grid = new QGridLayout(box);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(8);
  grid->setColumnStretch(0, 1);
  auto add = [grid, line = 0](const QString& text, const QString& why, QWidget* field) mutable {
    auto* label = new QLabel(text);
    label->setToolTip(why);
    field->setToolTip(why);
    grid->addWidget(label, line, 0);
    grid->addWidget(field, line++, 1);
  };
  add(tr("Smallest box"), tr("The shorter side; smaller boxes are left out"), m_minBox);
  add(tr("Measured"), tr("A model squashes every picture to a square of its size"), m_side);
  add(tr("Keep every nth frame"), tr("Neighbouring frames of a recording look alike"), m_every);
  add(tr("Held out for validation"), tr("Whole recordings, so that no scene is on both sides"), m_holdOut);
  m_side->setFixedWidth(kFieldWidth);
  connect(m_minBox, &QSpinBox::valueChanged, m_side, [this](int least) { m_side->setEnabled(least > 0); });
  return box;
}

QWidget* ExportPanel::makeTaken() {
  auto* box = new QWidget;
  m_takenText = new QLabel;
  m_takenText->setObjectName(QStringLiteral("exportTaken"));
  m_takenText->setWordWrap(true);
  m_replace = plainButton(tr("Replace"), QStringLiteral("exportReplace"));
  m_useFree = plainButton({}, QStringLiteral("exportUseFree"));
  auto* buttons = row(nullptr, 8);
  buttons->addStretch(1);
  buttons->addWidget(m_replace);
  buttons->addWidget(m_useFree);
  auto* layout = column(box, 6);
  layout->setContentsMargins(0, 0, 0, 8);
  layout->addWidget(m_takenText);
  layout->addLayout(buttons);
  connect(m_replace, &QPushButton::clicked, this, [this] {
    Wish sure = wish();
    sure.replace = true;
    m_taken->hide();
    emit exportRequested(sure);
  });
  connect(m_useFree, &QPushButton::clicked, this, [this] {
    m_to->setText(m_free);
    emit exportRequested(wish());
  });
  box->hide();
  return box;
}

void ExportPanel::refuse(const QString& free, bool mayReplace) {
  const QString name = QFileInfo(target()).fileName();
  m_free = free;
  m_takenText->setText(mayReplace ? tr("%1 is there already.").arg(name)
                                  : tr("%1 is there already and holds more than an export of this window.").arg(name));
  m_replace->setVisible(mayReplace);
  m_useFree->setText(tr("Use %1").arg(QFileInfo(free).fileName()));
  m_outcome->hide();
  m_open->hide();
  m_taken->show();
  m_useFree->setFocus();
}

QString ExportPanel::format() const { return m_format->currentData().toString(); }
bool ExportPanel::targetIsFolder() const { return *formatOf(format()).ending == 0; }
QString ExportPanel::target() const { return m_to->text().trimmed(); }

void ExportPanel::formatChosen() {
  const Format& chosen = formatOf(format());
  m_about->setText(QCoreApplication::translate("Export", chosen.about));
  suggest();
  refresh();
}

void ExportPanel::suggest() {
  if (m_ownTarget || m_folder.isEmpty() || working()) return;
  const QString name = m_name + QLatin1Char('-') + format() + QLatin1String(formatOf(format()).ending);
  m_to->setText(freeExportName(m_folder + QLatin1Char('/') + name, targetIsFolder()));
}

void ExportPanel::setSuggestion(const QString& folder, const QString& name) {
  m_folder = folder;
  m_name = name;
  m_ownTarget = false;
  m_outcome->hide();
  m_open->hide();
  formatChosen();
}

void ExportPanel::setTarget(const QString& path) {
  m_ownTarget = true;
  m_to->setText(path);
}

void ExportPanel::setQuery(const QString& query, std::size_t images) {
  if (query != m_text) suggest();  // what was written of another one stays
  m_text = query;
  m_images = images;
  const QString count = countText(images);
  m_count->setText(images == 1       ? tr("1 image")
                   : query.isEmpty() ? tr("All %1 images").arg(count)
                                     : tr("%1 images of the query").arg(count));
  m_query->setText(query);
  m_query->setVisible(!query.isEmpty());
  refresh();
}

void ExportPanel::refresh() {
  m_taken->hide();  // it was about another target
  m_start->setEnabled(m_images > 0 && target().startsWith(QLatin1Char('/')));
}

ExportPanel::Wish ExportPanel::wish() const {
  Wish wish{.query = m_text, .format = format(), .out = QDir::cleanPath(target()), .images = {}};
  if (m_pictures->isChecked()) {
    const QString ending = QLatin1String(formatOf(wish.format).ending);
    const QString stem = wish.out.endsWith(ending) ? wish.out.chopped(ending.size()) : wish.out;
    wish.images = targetIsFolder() ? wish.out + QStringLiteral("/images") : stem + QStringLiteral("-images");
  }
  wish.minBox = m_minBox->value();
  wish.atModelSize = wish.minBox > 0 ? m_side->currentData().toInt() : 0;
  wish.everyFrames = m_every->value();
  wish.holdOutPercent = m_holdOut->value();
  return wish;
}

// Who works with the panel goes on from its next action; who went elsewhere stays there.
void ExportPanel::begin() {
  const bool here = isAncestorOf(window()->focusWidget());
  m_form->setEnabled(false);
  m_taken->hide();
  m_outcome->hide();
  m_open->hide();
  m_progress->begin(tr("Starting"));
  m_progress->show();
  if (here) m_progress->setFocus();
}

bool ExportPanel::working() const { return m_progress->isVisibleTo(this); }

void ExportPanel::end(bool done, const QString& outcome) {
  const bool here = isAncestorOf(window()->focusWidget());
  m_form->setEnabled(true);
  m_progress->hide();
  m_outcome->setText(outcome);
  m_outcome->show();
  m_open->setVisible(done);
  if (here) (done ? m_open : m_start)->setFocus();
}

}  // namespace roadtune::widgets
