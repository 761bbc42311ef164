// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/runs/run_menu.h"

#include "widgets/common/shown_text.h"
#include "widgets/common/tokens.h"
#include "widgets/models/run_list_model.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QIcon>
#include <QMenu>
#include <QPainter>
#include <QPixmap>

namespace roadtune::widgets {
namespace {

constexpr int kSwatch = 16;

struct MenuText {
  Q_DECLARE_TR_FUNCTIONS(RunMenu)
};

// Okabe-Ito, in the order of the series.
const char* const kColours[] = {QT_TRANSLATE_NOOP("RunMenu", "Blue"),       QT_TRANSLATE_NOOP("RunMenu", "Orange"),
                                QT_TRANSLATE_NOOP("RunMenu", "Green"),      QT_TRANSLATE_NOOP("RunMenu", "Pink"),
                                QT_TRANSLATE_NOOP("RunMenu", "Light blue"), QT_TRANSLATE_NOOP("RunMenu", "Vermilion"),
                                QT_TRANSLATE_NOOP("RunMenu", "Grey")};

QIcon swatch(const QColor& colour) {
  QPixmap picture(kSwatch, kSwatch);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(2, 2, kSwatch - 4, kSwatch - 4, 3, 3);
  return picture;
}

void addColours(QMenu& menu, RunListModel& model, const QString& path) {
  QMenu* colours = menu.addMenu(MenuText::tr("Colour"));
  colours->setObjectName(QStringLiteral("runColours"));
  auto* group = new QActionGroup(colours);
  const int chosen = model.marks(path).colour;
  const auto add = [&](const QString& text, int colour) {
    QAction* action = colours->addAction(text, &model, [&model, path, colour] {
      RunMarks marks = model.marks(path);
      marks.colour = colour;
      model.setMarks(path, marks);
    });
    action->setObjectName(QStringLiteral("runColour_%1").arg(colour));
    action->setCheckable(true);
    action->setChecked(colour == chosen);
    if (colour >= 0) action->setIcon(swatch(seriesColour(static_cast<std::size_t>(colour))));
    group->addAction(action);
  };
  add(MenuText::tr("As it comes"), -1);
  int number = 0;
  for (const char* name : kColours) add(MenuText::tr(name), number++);
}

void addTags(QMenu& menu, RunListModel& model, const QString& path, const std::function<void()>& newTag) {
  QMenu* tags = menu.addMenu(MenuText::tr("Tags"));
  tags->setObjectName(QStringLiteral("runTags"));
  for (const QString& tag : model.knownTags()) {
    QAction* action = tags->addAction(buttonText(tag), &model, [&model, path, tag] {
      RunMarks marks = model.marks(path);
      if (marks.tags.removeAll(tag) == 0) marks.tags << tag;
      model.setMarks(path, marks);
    });
    action->setObjectName(QStringLiteral("runTag_") + tag);
    action->setCheckable(true);
    action->setChecked(model.marks(path).tags.contains(tag));
  }
  if (!tags->isEmpty()) tags->addSeparator();
  tags->addAction(MenuText::tr("New tag…"), tags, newTag)->setObjectName(QStringLiteral("runNewTag"));
}

}  // namespace

void addMarkActions(QMenu& menu, RunListModel& model, const QString& path, const std::function<void()>& newTag) {
  QAction* pin = menu.addAction(model.marks(path).pinned ? MenuText::tr("Unpin") : MenuText::tr("Pin to the top"),
                                &model, [&model, path] { model.togglePinned(path); });
  pin->setObjectName(QStringLiteral("runPin"));
  addTags(menu, model, path, newTag);
  addColours(menu, model, path);
}

void addResultActions(QMenu& menu, bool foreign, const std::function<void(RunResult)>& make) {
  const auto add = [&](const char* name, const QString& text, RunResult kind) {
    QAction* action = menu.addAction(text, &menu, [make, kind] { make(kind); });
    action->setObjectName(QLatin1String(name));
    action->setEnabled(kind == RunResult::Report || !foreign);
  };
  add("runReport", MenuText::tr("Write a report…"), RunResult::Report);
  add("runMerge", MenuText::tr("Merge adapters…"), RunResult::Merge);
  add("runPredict", MenuText::tr("Predict…"), RunResult::Predict);
}

}  // namespace roadtune::widgets
