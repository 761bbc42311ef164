// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/variant_panel.h"

#include "core/config/variants.h"
#include "widgets/common/controls.h"
#include "widgets/common/roles.h"
#include "widgets/common/told_words.h"
#include "widgets/forms/field_text.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
namespace {

// What one asks for first, in this order.
constexpr const char* kProposed[] = {"learning_rate", "r", "per_device_train_batch_size", "num_train_epochs", "seed"};

// Settings of the method and of training that fit into one line.
bool mayVary(const config::Field& field) {
  using Type = config::FieldType;
  const bool oneLine = field.type == Type::Integer || field.type == Type::Number || field.type == Type::Choice ||
                       field.type == Type::Flag || field.type == Type::TextOrList;
  return oneLine && (field.section == config::Section::Method || field.section == config::Section::Train);
}

std::string wordsOf(const QString& text) { return text.trimmed().toStdString(); }

}  // namespace

VariantPanel::VariantPanel(QWidget* parent)
    : QWidget(parent),
      m_lines(column(nullptr, 6)),
      m_more(plainButton(tr("Add a setting"), QStringLiteral("variantMore"))),
      m_queue(plainButton({}, QStringLiteral("variantQueue"))),
      m_summary(secondaryLabel({})) {
  setObjectName(QStringLiteral("variantPanel"));
  m_summary->setObjectName(QStringLiteral("variantSummary"));
  m_summary->setWordWrap(true);
  auto* close = iconButton(QStringLiteral("close"), tr("Put away"), QStringLiteral("variantClose"));
  auto* head = row(nullptr, 4);
  head->addWidget(headingLabel(tr("Variants")), 1);
  head->addWidget(close);
  auto* about = secondaryLabel(tr("A run for every combination of these values."));
  about->setWordWrap(true);
  auto* layout = column(this, 6);
  layout->addLayout(head);
  layout->addWidget(about);
  layout->addLayout(m_lines);
  layout->addWidget(m_more, 0, Qt::AlignLeft);
  layout->addWidget(m_summary);
  layout->addWidget(m_queue, 0, Qt::AlignLeft);
  connect(close, &QToolButton::clicked, this, &VariantPanel::close);
  connect(m_queue, &QPushButton::clicked, this, &VariantPanel::queue);
  connect(m_more, &QPushButton::clicked, this, [this] {
    for (const char* field : kProposed)
      if (std::none_of(m_rows.begin(), m_rows.end(),
                       [&](const Row& one) { return one.setting->currentData() == QLatin1String(field); }))
        return addRow(field);
    addRow(kProposed[0]);
  });
  addRow(kProposed[0]);
  hide();
}

void VariantPanel::addRow(const char* field) {
  Row row{new QWidget, new QComboBox, new QLineEdit,
          iconButton(QStringLiteral("close"), tr("Do not vary this"), QStringLiteral("variantRemove"))};
  row.setting->setObjectName(QStringLiteral("variantSetting"));
  row.setting->setAccessibleName(tr("Setting"));
  row.setting->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  row.setting->setMinimumContentsLength(12);
  for (const config::Field& one : config::schema())
    if (mayVary(one)) row.setting->addItem(fieldTitle(one), QString::fromStdString(one.name));
  row.setting->setCurrentIndex(row.setting->findData(QLatin1String(field)));
  row.values->setObjectName(QStringLiteral("variantValues"));
  row.values->setAccessibleName(tr("Values, separated by commas"));
  row.values->setToolTip(tr("Values, separated by commas"));
  auto* above = widgets::row(nullptr, 4);
  above->addWidget(row.setting, 1);
  above->addWidget(row.remove);
  auto* both = column(row.whole, 4);
  both->addLayout(above);
  both->addWidget(row.values);
  m_lines->addWidget(row.whole);
  connect(row.setting, &QComboBox::currentIndexChanged, this, &VariantPanel::refresh);
  connect(row.values, &QLineEdit::textChanged, this, &VariantPanel::refresh);
  connect(row.values, &QLineEdit::returnPressed, this, &VariantPanel::queue);
  connect(row.remove, &QToolButton::clicked, this, [this, whole = row.whole] { removeRow(whole); });
  m_rows.push_back(row);
  if (isVisible()) row.values->setFocus();
  refresh();
}

void VariantPanel::removeRow(QWidget* whole) {
  std::erase_if(m_rows, [whole](const Row& one) { return one.whole == whole; });
  m_rows.back().values->setFocus();
  whole->deleteLater();
  refresh();
}

void VariantPanel::setConfig(const config::RunConfig& config) {
  m_config = config;
  refresh();
}

void VariantPanel::setAllowed(bool allowed) {
  m_allowed = allowed;
  refresh();
}

void VariantPanel::setProblem(const QString& problem) {
  m_summary->setForegroundRole(kBadRole);
  m_summary->setText(problem);
}

QStringList VariantPanel::varied() const {
  QStringList all;
  for (const Row& row : m_rows)
    if (const QString values = row.values->text().trimmed(); !values.isEmpty())
      all << row.setting->currentData().toString() + QLatin1Char('=') + values;
  return all;
}

void VariantPanel::refresh() {
  std::vector<std::string> varied;
  for (const Row& row : m_rows) {
    row.remove->setVisible(m_rows.size() > 1);
    const auto* field = config::findField(row.setting->currentData().toString().toStdString());
    const auto now = field ? editorText(m_config.value(field->name)) : std::nullopt;
    row.values->setPlaceholderText(now && !now->isEmpty() ? tr("now %1").arg(*now) : tr("values, separated by commas"));
  }
  for (const QString& one : this->varied()) varied.push_back(wordsOf(one));
  const auto variants = config::variantsOf(varied);
  const int count = variants.ok() && !varied.empty() ? static_cast<int>(variants.value().size()) : 0;
  m_queue->setEnabled(m_allowed && count > 0);
  m_queue->setText(count > 1 ? tr("Queue %n runs", nullptr, count) : tr("Queue"));
  m_summary->setForegroundRole(variants.ok() ? kQuietRole : kBadRole);
  m_summary->setVisible(!varied.empty());
  if (!variants.ok())
    m_summary->setText(errorText(variants.error()));
  else if (count > 0)
    m_summary->setText(
        tr("The first one's folder ends with %1.").arg(QString::fromStdString(variants.value()[0].name)));
}

void VariantPanel::queue() {
  if (m_queue->isEnabled()) emit queueRequested(varied());
}

void VariantPanel::open() {
  show();
  m_rows.front().values->setFocus();
}

void VariantPanel::close() {
  if (const QWidget* now = window()->focusWidget(); now && isAncestorOf(now)) emit focusLeaving();
  hide();
}

void VariantPanel::resizeEvent(QResizeEvent* event) {
  if (event->size().height() > event->oldSize().height()) emit grown();
}

void VariantPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close();
  QWidget::keyPressEvent(event);
}

}  // namespace roadtune::widgets
