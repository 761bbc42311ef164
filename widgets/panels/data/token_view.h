// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/panels/data/model_tokens.h"

#include <QWidget>

namespace roadtune::widgets {

// Tokens one after the other, each with its number below; what is taught stands out from what is asked.
class TokenView : public QWidget {
  Q_OBJECT
 public:
  explicit TokenView(QWidget* parent = nullptr);
  void setTokens(const QList<ModelToken>& tokens);
  QString text() const;  // "detect 11 vehicle 23 ...", for the clipboard
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {200, heightForWidth(width())}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QList<QRect> places(int width) const;
  QList<ModelToken> m_tokens;
};

}  // namespace roadtune::widgets
