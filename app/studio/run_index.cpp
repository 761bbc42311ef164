// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_index.h"

#include "app/studio/image_query.h"
#include "core/config/readable.h"
#include "core/data/source/prepared.h"
#include "core/data/source/run_sources.h"
#include "core/protocol/run_layout.h"

namespace roadtune::studio {
namespace {

std::vector<data::SourceSpec> sourcesOf(const protocol::RunLayout& layout) {
  const auto document = config::Document::load(layout.config());
  if (!document.ok()) return {};
  std::vector<data::SourceSpec> sources = data::trainingSources(config::readableConfig(document.value()));
  for (data::SourceSpec& source : sources) source.prepared = layout.preparedData().string();
  return sources;
}

}  // namespace

std::shared_ptr<const data::Index> indexOfRun(const QString& run, const QStringList& samples) {
  std::shared_ptr<const data::Index> best;
  decltype(imagesNamed(*best, samples).size()) most = 0;
  for (const data::SourceSpec& source : sourcesOf(protocol::RunLayout(run.toStdString()))) {
    const auto folder = data::preparedIndex(source).value_or(source.path);
    if (!data::Index::looksLikeIndex(folder)) continue;
    const auto index = data::Index::open(folder);
    const auto found = index.ok() ? imagesNamed(*index.value(), samples).size() : 0;
    if (found <= most) continue;
    best = index.value();
    most = found;
  }
  return best;
}

QString dataPlacesOf(const QString& run) {
  QStringList places;
  for (const data::SourceSpec& source : sourcesOf(protocol::RunLayout(run.toStdString())))
    places << QString::fromStdString(source.path);
  return places.join(QStringLiteral(", "));
}

}  // namespace roadtune::studio
