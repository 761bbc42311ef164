// SPDX-License-Identifier: GPL-3.0-or-later
// Which index the page is about, and what of it is found.
#include "core/data/index/renumbered.h"
#include "widgets/canvas/picture_pool.h"
#include "widgets/common/elided_label.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/data_bar.h"
#include "widgets/panels/data/data_name.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/export_panel.h"
#include "widgets/panels/data/facet_panel.h"
#include "widgets/panels/data/inspector.h"
#include "widgets/panels/data/marks_panel.h"
#include "widgets/panels/data/quality_panel.h"
#include "widgets/panels/data/query_line.h"
#include "widgets/panels/data/sample_view.h"

#include <QStackedWidget>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace roadtune::widgets {
namespace {

constexpr std::int64_t kThumbnailCache = 96'000'000;
constexpr std::int64_t kFullCache = 120'000'000;

ImageList nowAs(const data::Index& from, const data::Index& to, const std::vector<data::ImageId>& images) {
  auto now = data::renumbered(from, to, images);
  return now ? std::make_shared<const std::vector<data::ImageId>>(std::move(*now)) : nullptr;
}

}  // namespace

void DataPage::setIndex(std::shared_ptr<const data::Index> index) {
  m_grid->setIndex(nullptr, nullptr);
  m_sample->setIndex(nullptr, nullptr, nullptr);
  m_thumbnails.reset();
  m_full.reset();
  m_index = std::move(index);
  m_found.reset();
  m_inspector->setIndex(m_index);
  if (!m_index) return m_stack->setCurrentWidget(m_empty);
  makePools();
  m_grid->setIndex(m_index, m_thumbnails.get());
  m_sample->setIndex(m_index, m_thumbnails.get(), m_full.get());
  m_name->setText(dataName(m_index->folder()));
  m_stack->setCurrentWidget(m_browser);
  offerFocus();
}

void DataPage::makePools() {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  m_thumbnails =
      std::make_unique<PicturePool>(m_index, PictureKind::Thumbnail, std::clamp(cores - 1, 1, 6), kThumbnailCache);
  m_full = std::make_unique<PicturePool>(m_index, PictureKind::Full, std::clamp(cores / 2, 1, 2), kFullCache);
  m_facets->setClasses(m_index->classNames());
  m_quality->setClasses(m_index->classNames());
  connect(m_thumbnails.get(), &PicturePool::ready, this, [this](quint32 image) {
    if (m_grid->currentImage() == image) m_inspector->setPicture(m_thumbnails->picture(image));
  });
}

void DataPage::growIndex(std::shared_ptr<const data::Index> index) {
  const ImageList shown = m_index && index && m_found ? nowAs(*m_index, *index, *m_grid->images()) : nullptr;
  const ImageList found = shown ? nowAs(*m_index, *index, *m_found) : nullptr;
  if (!found) return setIndex(std::move(index));
  const auto large = showsSample() && m_sample->image() ? nowAs(*m_index, *index, {*m_sample->image()}) : nullptr;
  const auto thumbnails = std::move(m_thumbnails);  // go last: their threads hand pictures to widgets
  const auto full = std::move(m_full);
  m_index = std::move(index);
  m_found = found;
  makePools();
  m_inspector->setIndex(m_index);
  m_sample->setIndex(m_index, m_thumbnails.get(), m_full.get());
  m_sample->setImages(shown);
  m_grid->renumber(m_index, m_thumbnails.get(), shown);
  if (large) m_sample->showImage(large->front());
}

bool DataPage::mayGrow() const {
  return !showsSample() && !m_inspector->marks()->isAncestorOf(window()->focusWidget());
}

void DataPage::setResult(const QString& query, ImageList images, std::size_t count,
                         const std::vector<data::Facet>& facets) {
  if (!m_index) return;
  const bool unfinished = count == 0 && m_query->holdsOn();
  m_query->clearError();
  m_query->setCount(count, m_index->imageCount());
  m_quality->setNarrowed(count != m_index->imageCount());
  m_grid->setDimmed(unfinished);
  if (unfinished) return;
  m_export->setQuery(query, images ? images->size() : 0);  // a limit cuts the export too
  m_facets->setFacets(facets, query);
  const bool same = std::exchange(m_asked, query) == query && m_found;
  m_found = std::move(images);
  showImages(same);
  // Another order is read from its beginning.
  if (const QString order = querySort(query); std::exchange(m_order, order) != order) m_grid->setCurrentRow(0);
  m_middle->setCurrentIndex(count == 0 ? 1 : 0);
  if (hasFocus()) focusMain();  // nothing had matched until now
  if (count == 0) m_inspector->setImage({});
}

void DataPage::showImages(bool sameQuestion) {
  if (!m_found) return;
  SegmentGroups groups{m_found, {}};
  if (m_grouped) groups = groupBySegment(*m_index, *m_found);
  m_sample->setImages(groups.images);
  if (sameQuestion)
    m_grid->refreshImages(std::move(groups.images), std::move(groups.starts));
  else
    m_grid->setImages(std::move(groups.images), std::move(groups.starts));
}

}  // namespace roadtune::widgets
