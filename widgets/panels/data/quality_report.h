// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QString>
#include <QStringList>

#include <memory>

namespace roadtune::widgets {

// What an index is worth for training, as figures; each with the query that shows its images (empty: none does).
struct QualityFigure {
  QString label, reading, query = {};
  double share = 0;        // of its bar
  QString className = {};  // gives the bar its colour
  bool warns = false;      // a bar that stands out
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
  QList<QualityFigure> lengths;  // a bar for each stretch of lengths; those that are cut lead to their images
  QString cutTag;                // of images whose samples are cut; empty: nobody asked
  QStringList cut;               // their names
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
