// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/program.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/runs/runs_page.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/plot_grid.h"

#include <string>

namespace roadtune::testing {

// The studio over two drawn runs with another learning rate each, of which the first knows what it learnt from.
struct TwoRuns : StudioTest {
  void openTwo() {
    drawRun({home / "runs/night-walkers", 400, 0, true, 0, 0.5});
    drawRun({home / "runs/baseline", 300, 0, true, 0, 0.5});
    const std::string slower = readAll(home / "runs/baseline/run.yaml");
    home.write("runs/baseline/run.yaml", std::string(slower).replace(slower.find("2.0e-5"), 6, "1.0e-5"));
    home.write("runs/night-walkers/provenance/rank-000.jsonl",
               "{\"step\":1,\"samples\":[\"seg/1/FRONT\"]}\n{\"step\":200,\"samples\":[\"seg/20/FRONT\",\"seg/21/"
               "SIDE_LEFT\"]}\n");
    studio::Options options;
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    options.run = folder("night-walkers");
    open(options);
    page = window()->runsPage();
    loss = page->plots()->plot("loss");
    ASSERT_TRUE(waitFor(
        [&] { return page->model()->rowCount() == 2 && !loss->curves().empty() && !loss->curves()[0].x.empty(); }));
  }
  QString folder(const char* name) const { return QString::fromStdString((home / "runs" / name).string()); }
  widgets::RunsPage* page = nullptr;
  widgets::CurvePlot* loss = nullptr;
};

}  // namespace roadtune::testing
