// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/segment_groups.h"

#include "widgets/canvas/value_text.h"
#include "widgets/common/number_text.h"
#include "widgets/common/tabular_text.h"
#include "widgets/common/theme.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <QStringList>

namespace roadtune::widgets {
namespace {
struct GroupWords {
  Q_DECLARE_TR_FUNCTIONS(SegmentGroup)
};
constexpr int kPadding = 12;
}  // namespace

SegmentGroups groupBySegment(const data::Index& index, const std::vector<data::ImageId>& images) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> groupOf(index.segmentCount(), kNone);  // by segment
  std::vector<std::size_t> sizes;
  std::vector<std::uint32_t> segments;  // by image
  segments.reserve(images.size());
  std::uint32_t segment = 0;
  data::ImageId first = 0, end = 0;  // of the segment before: most images follow one of their own segment
  for (const data::ImageId image : images) {
    if (image < first || image >= end) {
      segment = index.locate(image).first;
      first = index.firstImage(segment);
      end = index.firstImage(segment + 1);
    }
    segments.push_back(segment);
    if (groupOf[segment] == kNone) {
      groupOf[segment] = sizes.size();
      sizes.push_back(0);
    }
    ++sizes[groupOf[segment]];
  }
  SegmentGroups groups;
  groups.starts.reserve(sizes.size());
  std::size_t start = 0;
  for (const std::size_t size : sizes) groups.starts.push_back(std::exchange(start, start + size));
  std::vector<std::size_t> next = groups.starts;
  std::vector<data::ImageId> ordered(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) ordered[next[groupOf[segments[i]]]++] = images[i];
  groups.images = std::make_shared<const std::vector<data::ImageId>>(std::move(ordered));
  return groups;
}

void paintSegmentHeader(QPainter& painter, const data::SegmentInfo& segment, std::size_t images, const QRect& area) {
  const Tokens& t = Theme::tokens();
  painter.fillRect(area, t.window);
  const QRect line = area.adjusted(kPadding, 0, -kPadding, -4);
  painter.setFont(secondaryFont());
  painter.setPen(t.secondary);
  const QString count = images == 1 ? GroupWords::tr("1 image") : GroupWords::tr("%1 images").arg(countText(images));
  drawTabular(painter, line, Qt::AlignRight, count);
  QStringList facts;
  const std::pair<const char*, const std::string&> fields[] = {
      {"split", segment.split}, {"time", segment.time}, {"weather", segment.weather}, {"location", segment.location}};
  for (const auto& [field, value] : fields)
    if (!value.empty()) facts << valueText(field, value);
  const QString about = facts.join(QStringLiteral(" · "));
  constexpr int kApart = 12;
  const QFontMetrics metrics(painter.font());
  const int room = line.width() - static_cast<int>(tabularWidth(painter.font(), count)) - 16;
  const int forFacts = about.isEmpty() ? 0 : std::min(metrics.horizontalAdvance(about) + kApart + 1, room / 2);
  const QString name = metrics.elidedText(QString::fromStdString(segment.name), Qt::ElideMiddle, room - forFacts);
  const int after = metrics.horizontalAdvance(name) + kApart;
  painter.drawText(line.adjusted(after, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(about, Qt::ElideRight, room - after));
  painter.setPen(t.text);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
}

}  // namespace roadtune::widgets
