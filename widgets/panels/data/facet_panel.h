// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace roadtune::widgets {

class FacetRow;

// What the images can be narrowed to, with exact counts under the other filters; a click on a value toggles it.
class FacetPanel : public QWidget {
  Q_OBJECT
 public:
  explicit FacetPanel(QWidget* parent = nullptr);
  void setFacets(const std::vector<data::Facet>& facets, const QString& query);

 signals:
  void toggled(const QString& field, const QString& value);

 private:
  QVBoxLayout* m_layout;
  FacetRow* rowAt(std::size_t place);
  std::vector<FacetRow*> m_rows;
};

QString facetTitle(const std::string& field);
QString valueText(const std::string& field, const std::string& value);  // "SF" for location_sf

}  // namespace roadtune::widgets
