// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"

#include "widgets/common/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace roadtune::widgets {
namespace {

class TintedIconEngine : public QIconEngine {
 public:
  TintedIconEngine(QString name, bool quiet) : m_name(std::move(name)), m_quiet(quiet) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal scale = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    const int size = std::min(rect.width(), rect.height());
    const QPixmap drawn = iconPixmap(m_name, size, colour(mode, state), scale);
    painter->drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2, drawn);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
    // `size` counts device pixels here.
    const int side = std::min(size.width(), size.height());
    return iconPixmap(m_name, static_cast<int>(side / scale), colour(mode, state), scale);
  }
  QIconEngine* clone() const override { return new TintedIconEngine(m_name, m_quiet); }

 private:
  QColor colour(QIcon::Mode mode, QIcon::State state) const {
    const Tokens& t = Theme::tokens();
    if (mode == QIcon::Disabled) return t.disabled;
    if (state == QIcon::On) return t.accent;
    return m_quiet ? t.secondary : t.text;
  }
  QString m_name;
  bool m_quiet;
};

}  // namespace

QIcon icon(const QString& name, bool quiet) { return QIcon(new TintedIconEngine(name, quiet)); }

QPixmap iconPixmap(const QString& name, int size, const QColor& colour, qreal scale) {
  const QString key = QStringLiteral("rt/%1/%2/%3/%4").arg(name).arg(size).arg(colour.rgba()).arg(scale);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArray svg = file.readAll();
  svg.replace("currentColor", colour.name().toLatin1());
  QSvgRenderer renderer(svg);
  pixmap = QPixmap(QSize(size, size) * scale);
  pixmap.setDevicePixelRatio(scale);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter, QRectF(0, 0, size, size));
  painter.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

}  // namespace roadtune::widgets
