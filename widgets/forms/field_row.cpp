// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/field_row.h"

#include "widgets/common/controls.h"
#include "widgets/common/icons.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"
#include "widgets/forms/field_text.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>

namespace roadtune::widgets {
namespace {

// Scrolling a form must not change the setting below the mouse.
class QuietCombo : public QComboBox {
 protected:
  void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

constexpr int kTitleWidth = 196;
constexpr int kNarrowLine = 120;
constexpr int kShortChoice = 8, kListMargin = 24;
constexpr int kFlashMs = 900;
constexpr int kUnitWidth = 96;  // longer ones take a second line

QString directoryOf(const QString& text) {
  return text.startsWith(QLatin1String("~/")) ? QDir::homePath() + text.mid(1) : text;
}

bool isPath(const config::Field& field) {
  return field.type == config::FieldType::Path || field.type == config::FieldType::Sources;
}

}  // namespace

FieldRow::FieldRow(const config::Field& field, QWidget* parent)
    : QWidget(parent),
      m_field(field),
      m_name(QString::fromStdString(field.name)),
      m_title(new QLabel(fieldTitle(field))),
      m_problem(new QLabel),
      m_reset(iconButton(QStringLiteral("undo"), tr("Back to the default"), QStringLiteral("reset_") + m_name)) {
  setObjectName(QStringLiteral("field_") + m_name);
  m_title->setToolTip(fieldHelp(field));
  setTitleWidth(kTitleWidth);
  m_problem->setObjectName(QStringLiteral("problem_") + m_name);
  m_problem->setFont(secondaryFont());
  m_problem->setWordWrap(true);
  m_problem->setMinimumWidth(1);  // a long path must not push the editors out of the window
  m_problem->hide();
  QSizePolicy kept = m_reset->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  m_reset->setSizePolicy(kept);
  m_reset->setFixedSize(24, 24);
  m_reset->hide();
  m_editor = makeEditor();
  m_editor->setAccessibleName(fieldTitle(field));
  m_editor->setAccessibleDescription(schemaWords(field.help));
  m_editor->setToolTip(fieldHelp(field));
  m_title->setBuddy(m_editor);
  auto* unit = secondaryLabel(schemaWords(field.unit));
  unit->setFixedWidth(field.unit.empty() ? 0 : std::min(unit->sizeHint().width(), kUnitWidth));
  unit->setWordWrap(unit->sizeHint().width() > kUnitWidth);
  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(12, 2, 8, 2);
  layout->setHorizontalSpacing(8);
  layout->setVerticalSpacing(2);
  layout->addWidget(m_title, 0, 0);
  auto* editors = row(nullptr, 8);
  const bool narrow = field.type == config::FieldType::Integer || field.type == config::FieldType::Number;
  editors->addWidget(m_editor, narrow ? 0 : 1);
  if (m_deep) editors->addWidget(m_deep);
  if (!field.unit.empty()) editors->addWidget(unit);
  editors->addStretch(narrow ? 1 : 0);
  layout->addLayout(editors, 0, 1);
  layout->addWidget(m_reset, 0, 2);
  layout->addWidget(m_problem, 1, 1);
  layout->setColumnStretch(1, 1);
  connect(m_reset, &QToolButton::clicked, this, [this] { emit resetRequested(m_name); });
}

QWidget* FieldRow::makeEditor() {
  if (m_field.type == config::FieldType::Flag) {
    m_check = new QCheckBox;
    m_check->setObjectName(QStringLiteral("edit_") + m_name);
    m_check->setMinimumHeight(metrics::kControlHeight);
    connect(m_check, &QCheckBox::clicked, this, [this](bool on) { emit edited(m_name, config::Value(on)); });
    return m_check;
  }
  if (m_field.type == config::FieldType::Choice) {
    m_combo = new QuietCombo;
    m_combo->setObjectName(QStringLiteral("edit_") + m_name);
    m_combo->setFocusPolicy(Qt::StrongFocus);
    for (const std::string& choice : m_field.choices) {
      const QString value = QString::fromStdString(choice);
      m_combo->addItem(choiceTitle(m_field, choice), value);
      m_combo->setItemData(m_combo->count() - 1, m_name + QLatin1String(": ") + value, Qt::ToolTipRole);
    }
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(kShortChoice);  // a long name must not push the form out of the window
    m_combo->view()->setMinimumWidth(m_combo->view()->sizeHintForColumn(0) + kListMargin);
    connect(m_combo, &QComboBox::activated, this, [this](int index) {
      emit edited(m_name, config::Value(m_combo->itemData(index).toString().toStdString()));
    });
    return m_combo;
  }
  return makeLine();
}

QLineEdit* FieldRow::makeLine() {
  m_line = new QLineEdit;
  m_line->setObjectName(QStringLiteral("edit_") + m_name);
  const bool number = m_field.type == config::FieldType::Integer || m_field.type == config::FieldType::Number;
  m_line->setMinimumWidth(kNarrowLine);
  if (number) m_line->setMaximumWidth(140);
  if (m_field.defaultValue.isNull() || editorText(m_field, m_field.defaultValue) == QString())
    m_line->setPlaceholderText(unsetText(m_field));
  if (isPath(m_field)) {
    QAction* browse = m_line->addAction(icon(QStringLiteral("folder"), true), QLineEdit::TrailingPosition);
    browse->setToolTip(tr("Choose a folder"));
    connect(browse, &QAction::triggered, this, [this] {
      auto* dialog = new QFileDialog(window(), fieldTitle(m_field), directoryOf(m_line->text()));
      dialog->setAttribute(Qt::WA_DeleteOnClose);
      dialog->setFileMode(QFileDialog::Directory);
      connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
        m_line->setText(chosen);
        commitLine();
      });
      dialog->open();
    });
  }
  m_deep = iconButton(QStringLiteral("text"), tr("Edit as YAML"), QStringLiteral("deep_") + m_name);
  m_deep->setText(tr("Edit as YAML"));
  m_deep->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_deep->hide();
  connect(m_deep, &QToolButton::clicked, this, [this] { emit yamlRequested(m_name); });
  connect(m_line, &QLineEdit::editingFinished, this, &FieldRow::commitLine);
  return m_line;
}

// Only what the user typed: a value that the line shows differently is none of his.
void FieldRow::commit() {
  if (m_line && m_line->isModified()) commitLine();
}

void FieldRow::commitLine() {
  if (m_line->text() == m_shown) return;
  m_shown = m_line->text();
  emit edited(m_name, typedValue(m_field, m_shown));
}

void FieldRow::setValue(const config::Value& value, bool changed) {
  m_changed = changed;
  m_reset->setVisible(changed);
  m_title->setFont(changed ? strongFont() : baseFont());
  if (m_check) m_check->setChecked(value.flag());
  if (m_combo) m_combo->setCurrentIndex(m_combo->findData(QString::fromStdString(config::toDisplay(value))));
  if (m_line) {
    auto text = editorText(m_field, value);
    if (text && isPath(m_field)) text = homeShortened(*text);
    m_line->setVisible(text.has_value());
    m_deep->setVisible(!text.has_value());
    // What is being typed is not taken from under the cursor.
    if (text && !(m_line->hasFocus() && m_line->isModified() && m_line->text() != m_shown)) {
      m_line->setText(*text);
      if (!isPath(m_field)) m_line->setCursorPosition(0);  // of a long list its beginning shows, of a path its end
      m_shown = *text;
    }
  }
  update();
}

void FieldRow::setDecided(const QString& by) {
  m_decided = by;
  m_editor->setEnabled(by.isEmpty());
  setProblem(m_problemText, m_isError);
}

void FieldRow::setProblem(const QString& text, bool error) {
  m_problemText = text;
  m_isError = error;
  const QString note = text.isEmpty() ? m_decided : text;
  m_problem->setVisible(!note.isEmpty());
  m_problem->setText(note);
  m_problem->setToolTip(note);
  m_problem->setForegroundRole(text.isEmpty() ? kQuietRole : error ? kBadRole : kWarnRole);
  const bool invalid = error && !text.isEmpty();
  if (m_editor->property("invalid").toBool() != invalid) {
    m_editor->setProperty("invalid", invalid);
    m_editor->update();
  }
  m_editor->setAccessibleDescription(text.isEmpty() ? schemaWords(m_field.help) : text);
}

void FieldRow::setFix(const QString& label) {
  if (!m_fix && label.isEmpty()) return;
  if (!m_fix) {
    m_fix = plainButton({}, QStringLiteral("fix_") + m_name);
    static_cast<QGridLayout*>(layout())->addWidget(m_fix, 2, 1, Qt::AlignLeft);
    connect(m_fix, &QPushButton::clicked, this, [this] { emit fixRequested(m_name); });
  }
  m_fix->setText(label);
  m_fix->setVisible(!label.isEmpty());
}

void FieldRow::setSuggestions(const QString& title, const Suggestions& values) {
  if (!m_line || (!m_suggest && values.isEmpty())) return;
  m_suggestTitle = title;
  m_suggestions = values;
  if (!m_suggest) {
    m_suggest = m_line->addAction(icon(QStringLiteral("chevron-down"), true), QLineEdit::TrailingPosition);
    m_suggest->setObjectName(QStringLiteral("suggest_") + m_name);
    m_suggest->setShortcut(Qt::Key_Down);
    m_suggest->setShortcutContext(Qt::WidgetShortcut);
    connect(m_suggest, &QAction::triggered, this, &FieldRow::suggest);
  }
  m_suggest->setToolTip(title);
  m_suggest->setVisible(!values.isEmpty());
}

void FieldRow::suggest() {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  menu->addSection(m_suggestTitle);
  for (const auto& [name, value] : m_suggestions) {
    QAction* one = menu->addAction(name);
    one->setToolTip(value);
    connect(one, &QAction::triggered, this, [this, value = value] {
      m_line->setText(value);
      commitLine();
    });
  }
  menu->popup(m_line->mapToGlobal(QPoint(0, m_line->height())));
}

void FieldRow::flash() {
  m_flashing = true;
  update();
  QTimer::singleShot(kFlashMs, this, [this] {
    m_flashing = false;
    update();
  });
}

void FieldRow::setTitleWidth(int width) {
  m_title->setFixedWidth(width);
  m_title->setWordWrap(QFontMetrics(strongFont()).horizontalAdvance(m_title->text()) > width);
}

bool FieldRow::matches(const QString& search) const {
  if (search.isEmpty()) return true;
  const auto has = [&search](const std::string& text) {
    return QString::fromStdString(text).contains(search, Qt::CaseInsensitive);
  };
  if (fieldTitle(m_field).contains(search, Qt::CaseInsensitive) || has(m_field.name) || has(m_field.help) ||
      schemaWords(m_field.help).contains(search, Qt::CaseInsensitive))
    return true;
  const auto named = [&](const std::string& choice) {
    return has(choice) || choiceTitle(m_field, choice).contains(search, Qt::CaseInsensitive);
  };
  return std::ranges::any_of(m_field.aliases, has, &config::Alias::name) || std::ranges::any_of(m_field.choices, named);
}

void FieldRow::focusEditor() { m_editor->setFocus(); }

void FieldRow::paintEvent(QPaintEvent*) {
  if (!m_changed && !m_flashing) return;
  QPainter painter(this);
  const QColor accent = Theme::tokens().accent;
  if (m_flashing) painter.fillRect(rect(), mixed(Theme::tokens().surface, accent, 0.18));
  if (!m_changed) return;
  painter.fillRect(QRect(0, 5, 3, 22), accent);
}

}  // namespace roadtune::widgets
