// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/frame_builder.h"
#include "widgets/panels/runs/run_frame.h"
#include "widgets/panels/runs/step_facts.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>

class QTimer;

namespace roadtune::studio {

// Follows one run and publishes frames, at most twenty a second and only when something changed. Lives on a thread of
// its own: call its slots through queued connections.
class RunFeed : public QObject {
  Q_OBJECT
 public:
  explicit RunFeed(QObject* parent = nullptr);
  ~RunFeed() override;

 public slots:
  void open(const QString& folder);  // empty closes
  void setRequest(const roadtune::widgets::PlotRequest& request);
  void describeStep(qint64 step);
  void describePlace(double x);  // the step there on the axis that was asked for
  void exportCsv(const QString& file);

 signals:
  void frameReady(const roadtune::widgets::RunFramePtr& frame);
  void stepReady(const roadtune::widgets::StepFactsPtr& facts);
  void exported(const QString& file, const QString& error);  // empty: it is written

 private:
  void tick();
  void diagnose();
  bool isDue() const;
  void fail(const QString& folder, const Error& error);
  void refreshBeside();
  void addBeside(widgets::RunFrame& frame);
  // Another run whose curves are drawn along.
  struct Beside {
    std::optional<runs::RunStore> store;
    FrameBuilder builder;
  };
  std::optional<runs::RunStore> m_store;
  FrameBuilder m_builder;
  std::map<QString, Beside> m_beside;
  std::vector<runs::Verdict> m_verdicts;
  double m_diagnosed = 0;  // when; monotonic seconds
  widgets::PlotRequest m_request;
  QString m_folder;
  QTimer* m_timer;
  std::uint64_t m_published = 0;
  int m_publishedState = -1;
  std::optional<double> m_publishedAsOf;
  bool m_dirty = false;
  bool m_undiagnosed = false;  // something changed since, too soon to look again
};

}  // namespace roadtune::studio
