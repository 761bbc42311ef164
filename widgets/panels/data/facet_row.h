// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractButton>

namespace roadtune::widgets {

// One value of a facet: a bar for its share behind its name and count; or a heading.
class FacetRow : public QAbstractButton {
  Q_OBJECT
 public:
  explicit FacetRow(QWidget* parent = nullptr);
  void setHeading(const QString& title);
  void setValue(const QString& field, const QString& value, const QString& shown, std::size_t count, double share,
                bool selected, const QColor& colour);
  const QString& field() const { return m_field; }
  const QString& value() const { return m_value; }
  std::size_t count() const { return m_count; }
  QSize sizeHint() const override { return {200, 26}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_field, m_value, m_shown;
  std::size_t m_count = 0;
  double m_share = 0;
  bool m_heading = false, m_selected = false;
  QColor m_colour;
};

}  // namespace roadtune::widgets
