// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/index/index.h"
#include "core/data/index/thumbnails.h"

#include <QCache>
#include <QImage>
#include <QObject>
#include <QPixmap>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace roadtune::widgets {

enum class PictureKind { Thumbnail, Large, Full };

// Decodes pictures on threads of its own and keeps the recent ones. The list of what is wanted is replaced as a whole:
// what is no longer on it is never decoded. UI thread only, except for the workers inside.
class PicturePool : public QObject {
  Q_OBJECT
 public:
  // `cacheBytes` bounds what is kept.
  PicturePool(std::shared_ptr<const data::Index> index, PictureKind kind, int threads, std::int64_t cacheBytes,
              QObject* parent = nullptr);
  ~PicturePool() override;

  // Null when it is not there yet; a failed picture is null for good, see failure().
  QPixmap picture(data::ImageId image) const;
  QString failure(data::ImageId image) const;
  // In order of importance; replaces the list before.
  void want(const std::vector<data::ImageId>& images);
  bool idle() const;  // nothing wanted and nothing being decoded

 signals:
  void ready(quint32 image);

 private:
  void work();
  void finish(data::ImageId image, const QImage& picture, const QString& failure);
  Result<QImage> load(data::ImageId image);

  std::shared_ptr<const data::Index> m_index;
  PictureKind m_kind;
  data::Thumbnails m_thumbnails;
  mutable QCache<data::ImageId, QPixmap> m_cache;
  QHash<data::ImageId, QString> m_failures;

  mutable std::mutex m_mutex;
  std::condition_variable m_wake;
  std::vector<data::ImageId> m_wanted;  // back is next
  std::vector<data::ImageId> m_busy;
  bool m_stop = false;
  std::vector<std::thread> m_threads;
};

}  // namespace roadtune::widgets
