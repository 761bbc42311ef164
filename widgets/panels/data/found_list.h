// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QString>
#include <QWidget>

class QGridLayout;

namespace roadtune::widgets {

// What of one format was recognised in a folder.
struct FoundFormat {
  QString format;  // as the command line names it
  quint64 recordings = 0, files = 0, bytes = 0;
  QList<QPair<QString, quint64>> splits;  // the name is empty where nothing says
};

// The formats with their amounts, one below the other.
class FoundList : public QWidget {
  Q_OBJECT
 public:
  explicit FoundList(QWidget* parent = nullptr);
  void setFormats(const QList<FoundFormat>& formats);

 private:
  QGridLayout* m_grid;
};

QString readableFormats();                   // a sentence: what the studio can import
QString formatWords(const QString& format);  // "Waymo, TFRecord"

}  // namespace roadtune::widgets
