// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/import_panel.h"

#include "widgets/common/controls.h"
#include "widgets/common/shown_text.h"
#include "widgets/common/theme.h"
#include "widgets/panels/data/problem_list.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

QLineEdit* pathField(const QString& name, const QString& accessible) {
  auto* edit = new QLineEdit;
  edit->setObjectName(name);
  edit->setAccessibleName(accessible);
  return edit;
}

QHBoxLayout* withButton(QWidget* field, QWidget* button) {
  auto* line = row(nullptr, 4);
  line->addWidget(field, 1);
  line->addWidget(button);
  return line;
}

}  // namespace

ImportPanel::ImportPanel(QWidget* parent)
    : QWidget(parent),
      m_from(pathField(QStringLiteral("importFrom"), tr("Folder or file to import"))),
      m_to(pathField(QStringLiteral("importTo"), tr("Folder of the index"))),
      m_state(secondaryLabel({})),
      m_targetNote(secondaryLabel({})),
      m_list(new FoundList),
      m_thumbnails(new QCheckBox(tr("Make thumbnails now"))),
      m_split(new QComboBox),
      m_progress(new WorkProgress(QStringLiteral("import"))),
      m_outcome(new QLabel),
      m_problems(new ProblemList) {
  setObjectName(QStringLiteral("importPanel"));
  m_outcome->setObjectName(QStringLiteral("importOutcome"));
  m_outcome->setTextFormat(Qt::PlainText);
  m_outcome->setWordWrap(true);
  m_endButtons = new QWidget;
  auto* more = plainButton(tr("Import more"), QStringLiteral("importMore"));
  m_done = primaryButton(tr("Done"), QStringLiteral("importDone"));
  auto* buttons = row(m_endButtons, 8);
  buttons->addStretch(1);
  buttons->addWidget(more);
  buttons->addWidget(m_done);
  auto* layout = column(this, 12);
  layout->setContentsMargins(12, 8, 12, 12);
  layout->addWidget(m_form = makeForm());
  layout->addWidget(m_progress);
  layout->addWidget(m_outcome);
  layout->addWidget(m_problems, 1);
  layout->addWidget(m_endButtons);
  layout->addStretch(0);
  connect(m_progress, &WorkProgress::cancelRequested, this, &ImportPanel::cancelRequested);
  connect(more, &QPushButton::clicked, this, &ImportPanel::browseRequested);
  connect(m_done, &QPushButton::clicked, this, &ImportPanel::closeRequested);
  choose({}, {});
}

QWidget* ImportPanel::makeForm() {
  auto* form = new QWidget;
  auto* from = iconButton(QStringLiteral("folder"), tr("Choose a folder"), QStringLiteral("importBrowse"));
  auto* to = iconButton(QStringLiteral("folder"), tr("Choose where the index goes"), QStringLiteral("importTarget"));
  m_from->setPlaceholderText(tr("a folder, s3://bucket/folder, or drop it here"));
  m_state->setObjectName(QStringLiteral("importState"));
  m_state->setWordWrap(true);
  m_targetNote->setObjectName(QStringLiteral("importTargetNote"));
  m_targetNote->setWordWrap(true);
  m_targetNote->hide();
  m_thumbnails->setObjectName(QStringLiteral("importThumbnails"));
  m_thumbnails->setChecked(true);
  m_thumbnails->setToolTip(tr("Else each is made when it is looked at for the first time"));
  m_split->setObjectName(QStringLiteral("importSplit"));
  m_split->setAccessibleName(tr("Split of recordings that do not say theirs"));
  m_split->addItem(tr("None"), QString());
  m_split->addItem(tr("Training"), QStringLiteral("training"));
  m_split->addItem(tr("Validation"), QStringLiteral("validation"));
  m_split->addItem(tr("Testing"), QStringLiteral("testing"));
  m_splitRow = new QWidget;
  auto* split = row(m_splitRow, 8);
  split->addWidget(secondaryLabel(tr("Split of recordings that name none")), 1);
  split->addWidget(m_split);
  m_start = primaryButton(tr("Import"), QStringLiteral("importStart"));
  m_start->setAutoDefault(true);  // Enter works where the focus is
  auto* buttons = row();
  buttons->addStretch(1);
  buttons->addWidget(m_start);
  auto* layout = column(form, 4);
  layout->addWidget(secondaryLabel(tr("From")));
  layout->addLayout(withButton(m_from, from));
  layout->addSpacing(8);
  layout->addWidget(m_state);
  layout->addWidget(m_list);
  layout->addSpacing(8);
  layout->addWidget(secondaryLabel(tr("Index goes to")));
  layout->addLayout(withButton(m_to, to));
  layout->addWidget(m_targetNote);
  layout->addSpacing(8);
  layout->addWidget(m_thumbnails);
  layout->addWidget(m_splitRow);
  layout->addWidget(m_licence = makeLicence());
  layout->addSpacing(8);
  layout->addLayout(buttons);
  connect(from, &QToolButton::clicked, this, &ImportPanel::browseRequested);
  connect(to, &QToolButton::clicked, this, &ImportPanel::targetRequested);
  connect(m_start, &QPushButton::clicked, this, [this] { emit importRequested(wish()); });
  connectFields();
  return form;
}

void ImportPanel::connectFields() {
  const auto look = [this] {
    m_typed = false;
    emit sourceTyped(m_from->text().trimmed());
  };
  connect(m_from, &QLineEdit::returnPressed, this, look);
  connect(m_from, &QLineEdit::editingFinished, this, [this, look] {
    if (m_typed) look();  // addresses are looked at while they are typed
  });
  connect(m_from, &QLineEdit::textEdited, this, [this](const QString& text) {
    const bool address = text.contains(QLatin1String("://"));
    m_typed = !address;
    m_found = {};
    m_sources.clear();
    m_looking = false;
    refresh();
    if (address) emit addressTyped(text.trimmed());
  });
  connect(m_to, &QLineEdit::textChanged, this, [this](const QString& text) {
    m_targetNote->hide();
    refresh();
    emit targetChanged(text.trimmed());
  });
  connect(m_to, &QLineEdit::textEdited, this, [this](const QString& text) { m_ownTarget = !text.isEmpty(); });
}

QWidget* ImportPanel::makeLicence() {
  auto* box = new QWidget;
  m_licenceText = secondaryLabel({});
  m_licenceText->setObjectName(QStringLiteral("importLicence"));
  m_licenceText->setWordWrap(true);
  m_licenceText->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_accept = new QCheckBox(tr("I accept these terms"));
  m_accept->setObjectName(QStringLiteral("importAccept"));
  auto* layout = column(box, 6);
  layout->setContentsMargins(0, 8, 0, 0);
  layout->addWidget(headingLabel(tr("Licence")));
  layout->addWidget(m_licenceText);
  layout->addWidget(m_accept);
  connect(m_accept, &QCheckBox::toggled, this, &ImportPanel::refresh);
  return box;
}

void ImportPanel::setLicenceText(const QString& text) { m_licenceText->setText(text); }

void ImportPanel::choose(const QStringList& sources, const QString& out) {
  m_sources = sources;
  m_typed = false;
  m_found = {};
  m_looking = !sources.isEmpty();
  m_from->setText(sources.size() > 1 ? tr("%1 and %2 more").arg(sources[0]).arg(sources.size() - 1) : sources.value(0));
  m_targetNote->hide();
  if (out == m_to->text()) emit targetChanged(out);  // what lies there may be another than before
  m_to->setText(out);
  m_ownTarget = false;
  m_accept->setChecked(false);
  m_problems->clear();
  m_form->show();
  m_progress->hide();
  m_outcome->hide();
  m_endButtons->hide();
  refresh();
  if (isVisible() && !m_form->isAncestorOf(QApplication::focusWidget())) m_from->setFocus();
}

void ImportPanel::setAddress(const QString& address, const Found& found, const QString& out) {
  m_sources = found.failure.isEmpty() ? QStringList(address) : QStringList();
  m_found = found;
  if (!m_ownTarget) m_to->setText(out);
  refresh();
}

void ImportPanel::setFound(const Found& found) {
  m_looking = false;
  m_found = found;
  m_problems->clear();
  for (const QString& line : found.problems) m_problems->add(line);
  refresh();
  // Who has gone on to another field is left there; a dialog that is closing does not count.
  QWidget* focus = window()->focusWidget();
  QWidget* next = m_licence->isVisibleTo(m_form) ? static_cast<QWidget*>(m_accept) : m_start;
  if (next->isEnabled() && (focus == m_from || !m_form->isAncestorOf(focus))) next->setFocus();
}

void ImportPanel::setListed(const Found& found) {
  m_found = found;
  refresh();
}

void ImportPanel::askForLicence() {
  m_form->show();
  m_progress->hide();
  m_found.waymo = true;
  m_found.licenceAccepted = false;
  refresh();
  m_accept->setFocus();
}

void ImportPanel::setTarget(const QString& folder) {
  m_to->setText(folder);
  m_ownTarget = true;
}

void ImportPanel::setTargetNote(const QString& folder, const QString& note) {
  if (m_to->text().trimmed() != folder) return;
  m_targetNote->setText(note);
  m_targetNote->show();
}

bool ImportPanel::working() const { return m_progress->isVisibleTo(this); }

void ImportPanel::refresh() {
  const bool something = !m_found.formats.isEmpty() || m_found.unseen;
  m_state->setText(m_looking                    ? tr("Looking at what is there…")
                   : !m_found.failure.isEmpty() ? m_found.failure
                   : m_found.unseen && !m_found.formats.isEmpty()
                       ? tr("In the bucket. What can be imported of it shows when it is fetched.")
                   : m_found.unseen
                       ? tr("In a bucket: what is there shows when it is fetched. Keys come from the environment or "
                            "~/.aws/credentials, the server from AWS_ENDPOINT_URL.")
                   : something           ? tr("Recognised")
                   : m_sources.isEmpty() ? readableFormats()
                                         : tr("Nothing here is known to the studio."));
  m_list->setFormats(m_found.formats);
  const bool unknownSplit = std::any_of(m_found.formats.begin(), m_found.formats.end(), [](const FoundFormat& one) {
    return std::any_of(one.splits.begin(), one.splits.end(), [](const auto& split) { return split.first.isEmpty(); });
  });
  m_splitRow->setVisible(unknownSplit);
  const bool ask = m_found.waymo && !m_found.licenceAccepted;
  m_licence->setVisible(ask);
  m_start->setEnabled(something && !m_to->text().trimmed().isEmpty() && (!ask || m_accept->isChecked()));
}

ImportPanel::Wish ImportPanel::wish() const {
  return {.sources = m_sources,
          .out = m_to->text().trimmed(),
          .split = m_splitRow->isVisibleTo(m_form) ? m_split->currentData().toString() : QString(),
          .thumbnails = m_thumbnails->isChecked(),
          .acceptLicence = m_licence->isVisibleTo(m_form) && m_accept->isChecked()};
}

// Who works with the panel goes on from its next action; who went elsewhere stays there.
void ImportPanel::begin() {
  const bool here = isAncestorOf(window()->focusWidget());
  m_form->hide();
  m_problems->clear();
  m_outcome->hide();
  m_endButtons->hide();
  m_progress->begin(tr("Starting"));
  m_progress->show();
  if (here) m_progress->setFocus();
}

void ImportPanel::addProblem(const QString& line) { m_problems->add(line); }

void ImportPanel::end(bool done, const QString& outcome) {
  const bool here = isAncestorOf(window()->focusWidget());
  m_progress->hide();
  m_outcome->setText(foldedText(outcome));
  m_outcome->show();
  if (!done) m_form->show();
  m_endButtons->setVisible(done);
  if (here) (done ? m_done : m_start)->setFocus();
}

}  // namespace roadtune::widgets
