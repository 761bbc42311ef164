// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/error.h"

#include <QWidget>

#include <array>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace roadtune::widgets {

// A message in the page itself instead of a dialogue: what happened, what to try, perhaps one action; can be closed.
class NoticeBar : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { Info, Good, Warning, Bad };
  explicit NoticeBar(QWidget* parent = nullptr);

  void show(Kind kind, const QString& text, const QString& details = {});
  void show(const Error& error);  // with "Copy details"
  // Adds a button for the message on show, two at most; they go with the message.
  void offer(const QString& label, std::function<void()> action);
  void clear();
  QString text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void paintIcon();
  Kind m_kind = Kind::Info;
  QString m_details;
  QLabel* m_icon;
  QLabel* m_text;
  struct Offer {
    QPushButton* button;
    std::function<void()> run;
  };
  std::array<Offer, 2> m_offers;
  QPushButton* m_copy;
};

}  // namespace roadtune::widgets
