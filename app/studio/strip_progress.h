// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/progress.h"

#include <QObject>
#include <QPointer>

#include <atomic>
#include <optional>

namespace roadtune::widgets {
class StatusStrip;
}

namespace roadtune::studio {

// Work on a thread of this program, shown on the status strip with a button to cancel it. Made and destroyed on the UI
// thread, told of progress from any other.
class StripProgress : public QObject, public ProgressSink {
  Q_OBJECT
 public:
  enum class Shown { AtOnce, WithFirstReport };  // the latter: what may be over in no time
  StripProgress(widgets::StatusStrip* strip, const QString& title, QObject* parent = nullptr,
                Shown shown = Shown::AtOnce);
  ~StripProgress() override;
  bool report(const Progress& progress) override;
  void cancel() { m_cancelled = true; }  // as the button does

 private:
  QPointer<widgets::StatusStrip> m_strip;
  QString m_title;
  std::optional<int> m_job;  // on the strip
  std::atomic<bool> m_cancelled = false;
};

// "connecting: 1 of 2 machines".
QString progressText(const QString& stage, quint64 done, quint64 total, const QString& unit);

}  // namespace roadtune::studio
