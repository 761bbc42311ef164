// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/train/paint_bar.h"

#include "widgets/common/controls.h"
#include "widgets/common/roles.h"
#include "widgets/common/theme.h"
#include "widgets/common/wrap_layout.h"
#include "widgets/forms/field_text.h"
#include "widgets/models/module_tree_model.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {

constexpr double kDropoutStep = 0.05;

// As the schema takes it: 0 to 100.
std::optional<double> rateOf(const QString& text) {
  using Kind = config::Value::Kind;
  const config::Value typed = typedValue(*config::findField("learning_rate"), text);
  const bool good =
      (typed.kind() == Kind::Number || typed.kind() == Kind::Integer) && typed.number() >= 0 && typed.number() <= 100;
  return good ? std::optional(typed.number()) : std::nullopt;
}

// "19 modules: 9 vision tower, 10 language model".
QString matchText(const ModuleTreeModel::Matches& found) {
  const QString text = found.modules == 1 ? PaintBar::tr("1 module") : PaintBar::tr("%1 modules").arg(found.modules);
  if (found.towers.isEmpty()) return text;
  if (found.towers.size() == 1) return text + QStringLiteral(": ") + found.towers[0].first;
  QStringList parts;
  for (const auto& [tower, count] : found.towers) parts << QStringLiteral("%1 %2").arg(count).arg(tower);
  return text + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

}  // namespace

QList<std::pair<QString, QString>> paintTypes() {
  return {{QStringLiteral("auto"), PaintBar::tr("As the run")},
          {QStringLiteral("float32"), QStringLiteral("float32")},
          {QStringLiteral("bfloat16"), QStringLiteral("bfloat16")}};
}

PaintBar::PaintBar(ModuleTreeModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_rank(new QSpinBox),
      m_alpha(new QDoubleSpinBox),
      m_dropout(new QDoubleSpinBox),
      m_rate(new QLineEdit),
      m_pattern(searchField(tr("Paint by pattern: language_model\\.layers\\.2[0-5]"), QStringLiteral("paintPattern"))),
      m_count(secondaryLabel({})),
      m_freeze(makeTowers()) {
  setObjectName(QStringLiteral("paintBar"));
  m_count->setObjectName(QStringLiteral("paintCount"));
  m_count->setWordWrap(true);
  auto* layout = column(this, 6);
  layout->setContentsMargins(12, 2, 12, 8);
  layout->addWidget(makeBrushes());
  layout->addWidget(makeDetails());
  layout->addWidget(m_pattern);
  layout->addWidget(m_count);
  connect(m_pattern, &QLineEdit::textChanged, this, &PaintBar::refreshCount);
  connect(m_pattern, &QLineEdit::textChanged, this, &PaintBar::patternChanged);
  refreshCount();
}

QWidget* PaintBar::makeBrushes() {
  struct Brush {
    const char* method;
    QString text, tip;
  };
  const Brush brushes[] = {{"frozen", tr("Frozen"), tr("Leave as it is (F)")},
                           {"full", tr("Full"), tr("Train all of its weights (T)")},
                           {"lora", tr("LoRA"), tr("Train adapters on its linear layers (L)")},
                           {"qlora", tr("4-bit"), tr("Train adapters on weights kept in four bits (Q)")}};
  auto* bar = new QWidget;
  auto* layout = new WrapLayout(4, bar);
  for (const Brush& brush : brushes) {
    auto* button = plainButton(brush.text, QStringLiteral("paint_") + QLatin1String(brush.method));
    button->setToolTip(brush.tip);
    button->setMinimumWidth(button->fontMetrics().horizontalAdvance(brush.text) + 18);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    layout->addWidget(button);
    const QString method = QLatin1String(brush.method);
    connect(button, &QPushButton::clicked, this, [this, method] { emit painted(paintOf(method)); });
  }
  layout->addWidget(makeTypeBrush());
  return bar;
}

QPushButton* PaintBar::makeTypeBrush() {
  auto* button = plainButton(tr("Type"), QStringLiteral("paint_type"));
  button->setToolTip(tr("What a module computes in, and keeps its frozen weights in"));
  button->setMinimumWidth(button->fontMetrics().horizontalAdvance(button->text()) + 34);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  auto* menu = new QMenu(button);
  for (const auto& [type, words] : paintTypes())
    menu->addAction(words, this, [this, type = type] { emit painted({.method = {}, .type = type}); });
  button->setMenu(menu);
  return button;
}

QWidget* PaintBar::makeDetails() {
  const auto dress = [](QWidget* field, int width, const char* name, const QString& accessible, const QString& tip) {
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(accessible);
    field->setToolTip(tip);
    field->setMinimumWidth(width);
    field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  };
  dress(m_rank, 76, "paintRank", tr("Rank of painted adapters"),
        tr("Rank of adapters painted from now on; at the lowest, the run's own"));
  m_rank->setRange(0, 4096);
  m_rank->setPrefix(QStringLiteral("r "));
  m_rank->setSpecialValueText(tr("r auto"));
  dress(m_alpha, 78, "paintAlpha", tr("Alpha of painted adapters"),
        tr("Alpha of adapters painted from now on; at the lowest, the run's own"));
  m_alpha->setRange(0, 8192);
  m_alpha->setDecimals(0);
  m_alpha->setPrefix(QStringLiteral("α "));
  m_alpha->setSpecialValueText(tr("α auto"));
  dress(m_dropout, 102, "paintDropout", tr("Dropout of painted adapters"),
        tr("Dropout of adapters painted from now on; at the lowest, the run's own"));
  m_dropout->setRange(-kDropoutStep, 0.95);
  m_dropout->setSingleStep(kDropoutStep);
  m_dropout->setDecimals(2);
  m_dropout->setPrefix(tr("drop "));
  m_dropout->setSpecialValueText(tr("drop auto"));
  m_dropout->setValue(m_dropout->minimum());
  dress(m_rate, 84, "paintRate", tr("Learning rate of painted modules"),
        tr("Learning rate of what is painted from now on, such as 1e-5; empty: its tower's or the run's"));
  m_rate->setPlaceholderText(tr("rate auto"));
  m_rate->setClearButtonEnabled(true);
  auto* bar = new QWidget;
  auto* layout = new WrapLayout(4, bar);
  for (QWidget* field : std::initializer_list<QWidget*>{m_rank, m_alpha, m_dropout, m_rate}) layout->addWidget(field);
  connect(m_rate, &QLineEdit::textChanged, this, [this] {
    m_rate->setProperty("invalid", !m_rate->text().trimmed().isEmpty() && !rateOf(m_rate->text()));
    m_rate->update();
  });
  return bar;
}

QToolButton* PaintBar::makeTowers() {
  auto* towers = iconButton(QStringLiteral("lock"), tr("Freeze whole towers"), QStringLiteral("paintTowers"));
  auto* menu = new QMenu(towers);
  const std::pair<const char*, QString> fields[] = {{"freeze_vision_tower", tr("Freeze the vision tower")},
                                                    {"freeze_multi_modal_projector", tr("Freeze the projector")},
                                                    {"freeze_language_model", tr("Freeze the language model")}};
  for (const auto& [name, text] : fields) {
    QAction* action = menu->addAction(text);
    action->setCheckable(true);
    const QString field = QLatin1String(name);
    connect(action, &QAction::triggered, this, [this, field](bool on) { emit freezeRequested(field, on); });
    m_towers << action;
  }
  towers->setMenu(menu);
  towers->setFixedHeight(20);
  return towers;
}

void PaintBar::setFrozen(bool vision, bool projector, bool language) {
  const bool states[] = {vision, projector, language};
  for (qsizetype i = 0; i < m_towers.size(); ++i) m_towers[i]->setChecked(states[i]);
}

ModulePaint PaintBar::paintOf(const QString& method) const {
  ModulePaint paint{method};
  if (method != QLatin1String("frozen")) paint.rate = rateOf(m_rate->text());
  if (!method.endsWith(QLatin1String("lora"))) return paint;
  if (m_rank->value() > 0) paint.rank = m_rank->value();
  if (m_alpha->value() > 0) paint.alpha = m_alpha->value();
  if (m_dropout->value() > -kDropoutStep / 2) paint.dropout = m_dropout->value();
  return paint;
}

QStringList PaintBar::matches() const { return m_model->matching(m_pattern->text()).paths; }

void PaintBar::refreshCount() {
  const ModuleTreeModel::Matches found = m_model->matching(m_pattern->text());
  const bool typed = !m_pattern->text().isEmpty();
  m_pattern->setProperty("invalid", !found.error.isEmpty());
  m_pattern->setToolTip(found.error);
  m_pattern->update();
  m_count->setForegroundRole(found.error.isEmpty() ? kQuietRole : kBadRole);
  m_count->setText(!typed ? QString() : !found.error.isEmpty() ? tr("not a pattern") : matchText(found));
  m_count->setVisible(typed);
}

void PaintBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::tokens().line);
}

}  // namespace roadtune::widgets
