// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/query/query.h"
#include "widgets/common/class_looks.h"

#include <QPointer>
#include <QWidget>

#include <string>
#include <vector>

class QVBoxLayout;

namespace roadtune::widgets {

class FacetHistogram;
class FacetRow;

// What the images can be narrowed to, with exact counts under the other filters; a click on a value toggles it.
class FacetPanel : public QWidget {
  Q_OBJECT
 public:
  explicit FacetPanel(QWidget* parent = nullptr);
  void setClasses(const std::vector<std::string>& names);  // of the data, in its order
  void setFacets(const std::vector<data::Facet>& facets, const QString& query);
  void setHistograms(const data::Histogram& heights, const data::Histogram& boxes, const QString& query);
  void comeAfter(QWidget* before) { m_before = before; }  // for Tab

 signals:
  void toggled(const QString& field, const QString& value);
  void heightsChosen(int low, int high);  // pixels; low above high: let go
  void countsChosen(int low, int high);   // boxes per image

 private:
  QVBoxLayout* m_layout;
  FacetRow* rowAt(std::size_t place);
  void chainRows();
  ClassColours m_colours;
  std::vector<FacetRow*> m_rows;
  FacetHistogram* m_heights;
  FacetHistogram* m_counts;
  QPointer<QWidget> m_before;  // what Tab comes to before this
};

QString facetTitle(const std::string& field);
QString facetValueText(const std::string& field, const std::string& value);  // of any facet

}  // namespace roadtune::widgets
