// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/run_document.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "tests/support/test_network.h"
#include "widgets/panels/fleet/fleet_page.h"
#include "widgets/panels/fleet/machine_tile.h"
#include "widgets/panels/fleet/preflight_model.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTreeView>

#include <functional>
#include <utility>

namespace roadtune::testing {

// Two more machines that the studio can reach: namespaces with a real sshd each.
struct FleetTest : StudioTest {
  static void SetUpTestSuite() {
    if (TestNetwork::available()) network = new TestNetwork(2);
  }
  static void TearDownTestSuite() { delete std::exchange(network, nullptr); }

  void SetUp() override {
    if (!network) GTEST_SKIP() << "network namespaces and a throw-away sshd need root";
    StudioTest::SetUp();
    qputenv("ROADTUNE_SSH_CONFIG", network->sshConfig().c_str());
  }
  void TearDown() override {
    StudioTest::TearDown();
    qunsetenv("ROADTUNE_SSH_CONFIG");
  }

  void openOn(const QString& page, int steps) {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\noutput_dir: " + (home / "runs/far").string() +
                               "\nfinetuning_type: full\nnproc_per_node: 1\nmax_steps: " + std::to_string(steps) +
                               "\nper_device_train_batch_size: 2\nlogging_steps: 1\n");
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = page;
    open(options);
  }
  void addBoth() { addMachines({"host1", "host2"}); }
  void addMachines(const QStringList& names) {
    QTest::mouseClick(find<QPushButton>("addMachine"), Qt::LeftButton);
    auto* list = find<QListWidget>("addMachineList");
    ASSERT_EQ(list->count(), names.size()) << "the machines of ssh_config";
    for (int i = 0; i < list->count(); ++i) {
      EXPECT_TRUE(names.contains(list->item(i)->text())) << list->item(i)->text().toStdString();
      list->item(i)->setCheckState(Qt::Checked);
    }
    QTest::mouseClick(find<QPushButton>("addMachineAdd"), Qt::LeftButton);
  }
  // On the train page: other machines, and both of them; `before` looks while none is chosen yet.
  void chooseBoth(const std::function<void()>& before) {
    auto* where = find<QComboBox>("whereChoice");
    where->setCurrentIndex(1);
    emit where->activated(1);
    before();
    tickBoth();
  }
  void tickBoth() const {
    for (const char* name : {"where_host1", "where_host2"}) {
      auto* box = find<QCheckBox>(name);
      QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    }
  }
  QString fleetState(const char* name) const {
    auto* tile = window()->fleetPage()->tile(QLatin1String(name));
    return tile ? tile->findChild<QLabel*>("machineState")->text() : QString();
  }
  // What the table of what lies between machines says; nothing when it has no such row.
  QString between(const char* title) const { return found(window()->fleetPage()->checksBetween(), title, 0, 1); }
  QString advice(const char* title) const { return found(find<QTreeView>("preflightAdvice")->model(), title, 1, 2); }
  static QString found(const QAbstractItemModel* model, const char* title, int from, int to) {
    for (int row = 0; row < model->rowCount(); ++row)
      if (model->index(row, from).data().toString() == QString::fromUtf8(title))
        return model->index(row, to).data().toString();
    return {};
  }
  QString yaml() const { return QString::fromStdString(studio->train()->document().document().text()); }

  static inline TestNetwork* network = nullptr;
};

}  // namespace roadtune::testing
