// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/data/quality_report.h"

#include <QAbstractButton>
#include <QColor>

#include <vector>

namespace roadtune::widgets {

// A figure with a bar behind it, possibly of several colours; a click asks for its images.
class QualityRow : public QAbstractButton {
  Q_OBJECT
 public:
  struct Piece {
    double share;
    QColor colour;  // invalid: neutral
  };
  // Without a label only the reading shows, as in the cell of a table.
  QualityRow(const QString& label, const QString& reading, std::vector<Piece> pieces, const QString& query,
             QWidget* parent = nullptr);
  explicit QualityRow(const QualityFigure& figure, const QColor& classColour = {}, QWidget* parent = nullptr);
  const QString& query() const { return m_query; }
  const QString& reading() const { return m_reading; }
  QSize sizeHint() const override { return {m_label.isEmpty() ? 64 : 200, 26}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_label, m_reading, m_query;
  std::vector<Piece> m_pieces;
};

}  // namespace roadtune::widgets
