// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/data/facet_panel.h"

#include "core/data/records/waymo_types.h"
#include "widgets/canvas/tile_text.h"
#include "widgets/canvas/value_text.h"
#include "widgets/common/controls.h"
#include "widgets/models/query_text.h"
#include "widgets/panels/data/facet_histogram.h"
#include "widgets/panels/data/facet_row.h"

#include <QCoreApplication>
#include <QVBoxLayout>

#include <algorithm>

namespace roadtune::widgets {
QString facetValueText(const std::string& field, const std::string& value) {
  if (field == "camera") {
    if (const auto camera = data::cameraFromName(value)) return cameraText(*camera);
  }
  if (field == "labelled")
    return value == "true" || value == "yes" || value == "1" ? FacetPanel::tr("Labelled")
                                                             : FacetPanel::tr("Not labelled");
  if (value.empty() || (value == "unknown" && field != "class")) return FacetPanel::tr("Not known");
  return valueText(field, value);
}

QString facetTitle(const std::string& field) {
  if (field == "split") return FacetPanel::tr("Split");
  if (field == "camera") return FacetPanel::tr("Camera");
  if (field == "time") return FacetPanel::tr("Time of day");
  if (field == "location") return FacetPanel::tr("Place");
  if (field == "weather") return FacetPanel::tr("Weather");
  if (field == "labelled") return FacetPanel::tr("Labels");
  if (field == "class") return FacetPanel::tr("Shows");
  if (field == "tag") return FacetPanel::tr("Tags");
  return QString::fromStdString(field);
}

FacetPanel::FacetPanel(QWidget* parent)
    : QWidget(parent),
      m_layout(column(this, 0)),
      m_heights(new FacetHistogram(tr("Height of boxes"), QStringLiteral("px"))),
      m_counts(new FacetHistogram(tr("Boxes per image"), QString())) {
  setObjectName(QStringLiteral("facetPanel"));
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  m_layout->setContentsMargins(0, 4, 0, 12);
  m_heights->setObjectName(QStringLiteral("heightHistogram"));
  m_counts->setObjectName(QStringLiteral("countHistogram"));
  for (FacetHistogram* histogram : {m_heights, m_counts}) {
    histogram->hide();
    m_layout->addWidget(histogram);
  }
  m_layout->addStretch(1);
  connect(m_heights, &FacetHistogram::rangeChosen, this, &FacetPanel::heightsChosen);
  connect(m_counts, &FacetHistogram::rangeChosen, this, &FacetPanel::countsChosen);
  connect(m_heights, &FacetHistogram::rangeCleared, this, [this] { emit heightsChosen(1, 0); });
  connect(m_counts, &FacetHistogram::rangeCleared, this, [this] { emit countsChosen(1, 0); });
}

void FacetPanel::setHistograms(const data::Histogram& heights, const data::Histogram& boxes, const QString& query) {
  m_heights->setHistogram(heights);
  m_counts->setHistogram(boxes);
  m_heights->setChosen(queryRange(query, RangeField::BoxHeight));
  m_counts->setChosen(queryRange(query, RangeField::BoxCount));
}

FacetRow* FacetPanel::rowAt(std::size_t place) {
  while (m_rows.size() <= place) {
    auto* one = new FacetRow(this);
    m_layout->insertWidget(static_cast<int>(m_rows.size()), one);
    connect(one, &FacetRow::clicked, this, [this, one] { emit toggled(one->field(), one->value()); });
    m_rows.push_back(one);
  }
  m_rows[place]->show();
  return m_rows[place];
}

// New rows come at the end of the window's chain: Tab is to meet them where one reads them, before the histograms.
void FacetPanel::chainRows() {
  if (m_before) setTabOrder(m_before, m_heights);
  QWidget* last = m_heights;
  for (FacetRow* one : m_rows) {
    if (one->focusPolicy() == Qt::NoFocus) continue;  // a heading, this time
    setTabOrder(last, one);
    last = one;
  }
  setTabOrder(last, m_heights);
  setTabOrder(m_heights, m_counts);
}

namespace {

std::size_t countOf(const std::vector<data::Facet>& facets, std::string_view field) {
  std::size_t count = 0;
  for (const data::Facet& facet : facets)
    if (facet.field == field)
      for (const auto& value : facet.values) count += value.count;
  return count;
}

}  // namespace

void FacetPanel::setClasses(const std::vector<std::string>& names) { m_colours = ClassColours(names); }

void FacetPanel::setFacets(const std::vector<data::Facet>& facets, const QString& query) {
  std::size_t place = 0;
  const bool collection = countOf(facets, "camera") == 0 && countOf(facets, "labelled") > 0;  // no cameras of a vehicle
  for (const data::Facet& facet : facets) {
    if (facet.values.empty() || (collection && facet.field == "camera")) continue;
    if (facet.values.size() == 1 && facet.field != "class" && facet.field != "tag" && !facet.values[0].selected)
      continue;  // nothing to choose
    rowAt(place++)->setHeading(facetTitle(facet.field));
    std::size_t most = 1;
    for (const auto& value : facet.values) most = std::max(most, value.count);
    const QString field = QString::fromStdString(facet.field);
    for (const auto& value : facet.values) {
      const QString name = QString::fromStdString(value.value);
      const bool selected = value.selected || hasFacetValue(query, field, name);
      const QColor colour =
          facet.field == "class" ? m_colours.of(value.value, classLook(value.value).colour) : QColor();
      rowAt(place++)->setValue(field, name, facetValueText(facet.field, value.value), value.count,
                               double(value.count) / double(most), selected, colour);
    }
  }
  for (std::size_t i = place; i < m_rows.size(); ++i) {
    m_rows[i]->setObjectName({});
    m_rows[i]->hide();
  }
  chainRows();
}

}  // namespace roadtune::widgets
