// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/picture_pool.h"

#include "core/data/image/decode.h"
#include "widgets/canvas/qimage_of.h"
#include "widgets/common/told_words.h"

#include <QMetaObject>

#include <algorithm>

namespace roadtune::widgets {

PicturePool::PicturePool(std::shared_ptr<const data::Index> index, PictureKind kind, int threads,
                         std::int64_t cacheBytes, QObject* parent)
    : QObject(parent),
      m_index(std::move(index)),
      m_kind(kind),
      m_thumbnails(m_index),
      m_cache(static_cast<qsizetype>(cacheBytes / 1024)) {
  for (int i = 0; i < threads; ++i) m_threads.emplace_back([this] { work(); });
}

PicturePool::~PicturePool() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_wake.notify_all();
  for (std::thread& thread : m_threads) thread.join();
}

QPixmap PicturePool::picture(data::ImageId image) const {
  const QPixmap* found = m_cache.object(image);
  return found ? *found : QPixmap();
}

QString PicturePool::failure(data::ImageId image) const { return m_failures.value(image); }

void PicturePool::want(const std::vector<data::ImageId>& images) {
  {
    const std::lock_guard lock(m_mutex);
    m_wanted.clear();
    for (const data::ImageId image : images) {
      const bool done = m_cache.contains(image) || m_failures.contains(image);
      const bool started = std::find(m_busy.begin(), m_busy.end(), image) != m_busy.end();
      if (!done && !started) m_wanted.push_back(image);
    }
    std::reverse(m_wanted.begin(), m_wanted.end());
  }
  m_wake.notify_all();
}

bool PicturePool::idle() const {
  const std::lock_guard lock(m_mutex);
  return m_wanted.empty() && m_busy.empty();
}

Result<QImage> PicturePool::load(data::ImageId image) {
  if (m_kind == PictureKind::Full) {
    ROADTUNE_TRY(const std::string bytes, m_index->imageBytes(image));
    ROADTUNE_TRY(data::Image picture, data::decodeImage(data::asBytes(bytes)));
    return toQImage(std::move(picture));
  }
  const auto size = m_kind == PictureKind::Large ? data::ThumbnailSize::Large : data::ThumbnailSize::Small;
  ROADTUNE_TRY(const std::string bytes, m_thumbnails.get(image, size));
  ROADTUNE_TRY(data::Image picture, data::decodeImage(data::asBytes(bytes)));
  return toQImage(std::move(picture));
}

void PicturePool::work() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_wake.wait(lock, [this] { return m_stop || !m_wanted.empty(); });
    if (m_stop) return;
    const data::ImageId image = m_wanted.back();
    m_wanted.pop_back();
    m_busy.push_back(image);
    lock.unlock();
    const Result<QImage> loaded = load(image);
    const QImage picture = loaded.ok() ? loaded.value() : QImage();
    const QString failure = loaded.ok() ? QString() : errorText(loaded.error());
    QMetaObject::invokeMethod(
        this, [this, image, picture, failure] { finish(image, picture, failure); }, Qt::QueuedConnection);
    lock.lock();
    if (m_stop) return;
  }
}

void PicturePool::finish(data::ImageId image, const QImage& picture, const QString& failure) {
  {
    const std::lock_guard lock(m_mutex);
    std::erase(m_busy, image);
  }
  if (!failure.isEmpty() || picture.isNull()) {
    m_failures.insert(image, failure.isEmpty() ? tr("empty picture") : failure);
  } else {
    const auto cost = std::max<qsizetype>(1, picture.sizeInBytes() / 1024);
    m_cache.insert(image, new QPixmap(QPixmap::fromImage(picture)), cost);
  }
  emit ready(image);
}

}  // namespace roadtune::widgets
