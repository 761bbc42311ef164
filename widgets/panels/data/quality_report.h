// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QString>

#include <memory>

namespace roadtune::widgets {

// What an index is worth for training, as figures; each with the query that shows its images (empty: none does).
struct QualityFigure {
  QString label, reading, query = {};
  double share = 0;        // of its bar
  QString className = {};  // gives the bar its colour
};

// Boxes of one class that are too small to learn, at each size of the model.
struct QualitySizes {
  QString className;  // empty: all classes
  QList<QualityFigure> figures;
};

// Images that share a value, and their boxes by class.
struct QualityGroup {
  struct Part {
    QString className;
    quint64 boxes = 0;
  };
  QString label, query;
  quint64 images = 0, boxes = 0;
  QList<Part> parts;
};

struct QualityBalance {
  QString field;  // "time"
  QList<QualityGroup> groups;
};

struct QualityTokens {
  QString summary;  // "half of them below 312, the longest 640"
  QList<QualityFigure> figures;
};

struct QualityReport {
  QString index;  // folder
  QList<int> modelSides;
  QList<QualitySizes> sizes;
  QList<QualityFigure> images;
  QList<QualityBalance> balance;
  QString stillText;
  QList<QualityFigure> still;  // stretches in which the vehicle stands
  bool compared = false;       // pictures were read
  QString sameText;
  QList<QualityFigure> same;  // pictures that look alike
  bool counted = false;       // tokens were
  QualityTokens tokens;
};
using QualityReportPtr = std::shared_ptr<const QualityReport>;

}  // namespace roadtune::widgets
