// SPDX-License-Identifier: GPL-3.0-or-later
// What is done with the chosen images: tags, notes, the context menu.
#include "widgets/canvas/image_menu.h"
#include "widgets/panels/data/data_bar.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/inspector.h"
#include "widgets/panels/data/marks_panel.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/data/side_drawer.h"

#include <algorithm>

namespace roadtune::widgets {

std::vector<data::ImageId> DataPage::chosenImages() const {
  std::vector<data::ImageId> images = m_grid->selectedImages();
  const auto current = m_grid->currentImage();
  if (images.empty() && current) images.push_back(*current);
  // The one on show comes first: it is described again after a change.
  if (current) {
    if (const auto at = std::find(images.begin(), images.end(), *current); at != images.end())
      std::iter_swap(images.begin(), at);
  }
  return images;
}

void DataPage::connectMarks(Inspector* inspector, bool large) {
  const auto tag = [this, large](const QString& name, bool on) {
    const auto shown = m_sample->image();
    emit tagRequested(large && shown ? std::vector<data::ImageId>{*shown} : chosenImages(), name, on);
  };
  connect(inspector->marks(), &MarksPanel::tagAdded, this, [tag](const QString& name) { tag(name, true); });
  connect(inspector->marks(), &MarksPanel::tagRemoved, this, [tag](const QString& name) { tag(name, false); });
  connect(inspector->marks(), &MarksPanel::noteChanged, this, &DataPage::noteRequested);
  connect(inspector->marks(), &MarksPanel::left, this, &DataPage::leaveMarks);
}

// Back to the images the mark was for.
void DataPage::leaveMarks() {
  QWidget* images = showsSample() ? static_cast<QWidget*>(m_sample) : m_grid;
  images->setFocus();
}

void DataPage::setMarks(data::ImageId image, const QStringList& tags, const QString& note) {
  if (m_grid->currentImage() == image) m_inspector->marks()->setMarks(tags, note);
  if (m_sample->image() == image) m_sample->inspector()->marks()->setMarks(tags, note);
}

void DataPage::setKnownMarks(const QStringList& tags, const QList<QPair<QString, QString>>& views) {
  m_inspector->marks()->setKnownTags(tags);
  m_sample->inspector()->marks()->setKnownTags(tags);
  m_bar->setViews(views);
  emit viewsChanged(views);
}

bool DataPage::markByKey(int key) {
  MarksPanel* marks = showsSample() ? m_sample->inspector()->marks() : m_inspector->marks();
  if (key != Qt::Key_T && key != Qt::Key_N) return false;
  if (!marks->isVisible()) {  // behind the drawer, or hidden
    m_drawer->close();
    if (!showsSample()) setInspectorShown(true);
  }
  key == Qt::Key_T ? marks->focusTag() : marks->focusNote();
  return true;
}

void DataPage::showMenu(const QPoint& at) {
  const auto large = showsSample() ? m_sample->image() : std::nullopt;
  const std::vector<data::ImageId> images = large ? std::vector<data::ImageId>{*large} : chosenImages();
  if (images.empty()) return;
  auto* menu = new ImageMenu(this, !large);
  connect(menu, &ImageMenu::openChosen, this, &DataPage::openSample);
  connect(menu, &ImageMenu::tagChosen, this, [this] { markByKey(Qt::Key_T); });
  connect(menu, &ImageMenu::noteChosen, this, [this] { markByKey(Qt::Key_N); });
  connect(menu, &ImageMenu::trainChosen, this, &DataPage::trainRequested);
  connect(menu, &ImageMenu::leaveOutChosen, this, [this, images] { emit leaveOutRequested(images); });
  connect(menu, &ImageMenu::copyChosen, this, [index = m_index, images] { copyImageNames(*index, images); });
  menu->popup(at);
}

}  // namespace roadtune::widgets
