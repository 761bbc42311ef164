// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of a run over the labels of an image.
#include "core/data/eval/prediction_set.h"
#include "core/data/index/index.h"
#include "tests/gui/drawn_run.h"
#include "tests/gui/studio_fixture.h"
#include "tests/support/made_data.h"
#include "widgets/canvas/image_grid.h"
#include "widgets/canvas/image_view.h"
#include "widgets/common/notice_bar.h"
#include "widgets/models/run_list_model.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/prediction_menu.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/runs/runs_page.h"

#include <nlohmann/json.hpp>

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

namespace roadtune::testing {
namespace {

using nlohmann::json;

struct PredictionTest : StudioTest {
  void SetUp() override {
    StudioTest::SetUp();
    index = data::Index::open(drawnIndex()).value();
    for (data::ImageId id = 0; id < index->imageCount() && !image; ++id)
      if (index->boxes(id).size() >= 3) image = id;
    ASSERT_TRUE(image.has_value());
  }
  json boxOf(const data::Box& box, double shift, double score) const {
    return {{"label", index->classNames()[box.type]},
            {"bbox", {box.x + shift * box.w, box.y, box.w, box.h}},
            {"score", score}};
  }
  // Every box of the image is found but the last; the first lies a quarter beside it and is unsure.
  std::string predictions() const {
    json boxes = json::array();
    const auto truth = index->boxes(*image);
    for (std::size_t i = 0; i + 1 < truth.size(); ++i)
      boxes.push_back(boxOf(truth[i], i == 0 ? 0.25 : 0.0, i == 0 ? 0.4 : 0.9));
    return json({{"step", 200}, {"image", index->imageLabel(*image)}, {"boxes", boxes}}).dump() + "\n";
  }
  void openOnImage(QSize size = {}, const QString& language = QStringLiteral("en")) {
    studio::Options options;
    options.size = size;
    options.language = language;
    options.data = QString::fromStdString(drawnIndex().string());
    options.runRoots = {QString::fromStdString((home / "runs").string())};
    open(options);
    page = window()->dataPage();
    ASSERT_TRUE(waitFor([&] { return page->grid()->images()->size() == 120; }));
    ASSERT_TRUE(waitFor([&] { return window()->runsPage()->model()->rowCount() == 1; }));
    page->grid()->setCurrentRow(*image);
    page->openSample();
    ASSERT_EQ(page->sample()->image(), image);
  }
  // Chooses the run's predictions in the menu, as it fills when it opens.
  void choose(const char* name) {
    auto* menu = page->sample()->predictionMenu();
    emit menu->aboutToShow();
    ASSERT_TRUE(waitFor([&] { return menu->findChild<QAction*>(name) != nullptr; }));
    menu->findChild<QAction*>(name)->trigger();
    ASSERT_TRUE(waitFor([&] { return find<QWidget>("predictionStrip")->isVisible(); }))
        << page->notice()->text().toStdString();
  }
  QString counts() const { return find<QLabel>("predictionCounts")->text(); }
  QString text(std::size_t hits, std::size_t wrong, std::size_t missed) const {
    return QStringLiteral("%1 hits  ·  %2 wrong  ·  %3 missed").arg(hits).arg(wrong).arg(missed);
  }

  std::shared_ptr<const data::Index> index;
  std::optional<data::ImageId> image;
  widgets::DataPage* page = nullptr;
};

TEST_F(PredictionTest, ARunsPredictionsLieOverTheImageAndTheSlidersJudgeThem) {
  drawRun({home / "runs/night-walkers", 400, 0, true, 0, 0.5});
  home.write("runs/night-walkers/predictions/step-200.jsonl", predictions());
  openOnImage();
  const std::size_t all = index->boxes(*image).size();
  choose("prediction_night-walkers_200");
  EXPECT_EQ(counts(), text(all - 1, 0, 1));
  EXPECT_TRUE(find<QLabel>("predictionTotal")->text().startsWith("All images (1): " + counts()));
  auto* iou = find<QSlider>("predictionIou");
  iou->setFocus();
  QTest::keyClick(iou, Qt::Key_End);
  EXPECT_TRUE(find<QLabel>("predictionTotal")->text().startsWith("All images (1): " + counts()));
  EXPECT_EQ(counts(), text(all - 2, 1, 2)) << "an overlap of 0.6 is not enough any more";
  find<QSlider>("predictionScore")->setValue(50);
  EXPECT_EQ(counts(), text(all - 2, 0, 2)) << "and unsure ones do not count";
  QTest::keyClick(page->sample(), Qt::Key_Right);
  EXPECT_EQ(counts(), "Nothing was predicted for this image");
  QTest::mouseClick(find<QToolButton>("predictionClose"), Qt::LeftButton);
  EXPECT_FALSE(find<QWidget>("predictionStrip")->isVisible());
}

TEST_F(PredictionTest, ASliderGoesThroughTheEvaluationsOfTheRun) {
  drawRun({home / "runs/night-walkers", 400, 0, true, 0, 0.5});
  json none = json::parse(predictions());
  none["boxes"] = json::array();
  home.write("runs/night-walkers/predictions/step-50.jsonl", none.dump() + "\n");
  home.write("runs/night-walkers/predictions/step-200.jsonl", predictions());
  home.write("runs/night-walkers/predictions/step-1000.jsonl", predictions());
  openOnImage();
  const std::size_t all = index->boxes(*image).size();
  choose("prediction_night-walkers_200");
  auto* step = find<QSlider>("predictionStep");
  ASSERT_TRUE(step->isVisible());
  EXPECT_EQ(step->value(), 1);
  EXPECT_EQ(counts(), text(all - 1, 0, 1));
  step->setFocus();
  QTest::keyClick(step, Qt::Key_Left);
  ASSERT_TRUE(waitFor([&] { return counts() == text(0, 0, all); })) << counts().toStdString();
  QTest::keyClick(step, Qt::Key_End);
  QTest::keyClick(step, Qt::Key_Home);
  QTest::keyClick(step, Qt::Key_End);
  ASSERT_TRUE(waitFor([&] { return counts() == text(all - 1, 0, 1); })) << counts().toStdString();
  EXPECT_EQ(step->value(), 2);
}

TEST_F(PredictionTest, TheStripFitsASmallWindow) {
  drawRun({home / "runs/night-walkers", 400, 0, true, 0, 0.5});
  for (const char* step : {"50", "200"})
    home.write("runs/night-walkers/predictions/step-" + std::string(step) + ".jsonl", predictions());
  const QSize small(1024, 640);
  for (const char* language : {"en", "de"}) {
    openOnImage(small, language);
    choose("prediction_night-walkers_200");
    QTest::qWait(50);
    EXPECT_EQ(window()->size(), small) << language;
    EXPECT_LE(window()->minimumSizeHint().width(), small.width()) << language;
    auto* strip = find<QWidget>("predictionStrip");
    for (const QLabel* label : strip->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->inherits("roadtune::widgets::ElidedLabel")) continue;
      EXPECT_GE(label->width(), label->sizeHint().width()) << language << ": " << label->text().toStdString();
    }
    for (const char* name : {"predictionStep", "predictionIou", "predictionScore", "predictionClose"}) {
      auto* part = find<QWidget>(name);
      const QRect place(part->mapTo(strip, QPoint()), part->size());
      EXPECT_TRUE(strip->rect().contains(place)) << language << ": " << name;
    }
    studio.reset();
  }
}

TEST_F(PredictionTest, AResultsFileOpensAndOneOfOtherDataSaysSo) {
  drawRun({home / "runs/night-walkers", 400, 0, true, 0, 0.5});
  const data::Box truth = index->boxes(*image)[0];
  const json result = {{"image_id", *image + 1},
                       {"category_id", truth.type},
                       {"bbox", {truth.x, truth.y, truth.w, truth.h}},
                       {"score", 0.8}};
  home.write("results.json", json::array({result}).dump());
  json other = result;
  other["image"] = "elsewhere/1/FRONT";
  home.write("other.json", json::array({other}).dump());
  openOnImage();
  const auto open = [&](const char* name) {
    page->sample()->predictionMenu()->findChild<QAction*>("predictionFile")->trigger();
    auto* dialog = window()->findChild<QFileDialog*>("predictionDialog");
    ASSERT_NE(dialog, nullptr);
    emit dialog->fileSelected(QString::fromStdString((home / name).string()));
    dialog->close();
    ASSERT_TRUE(waitFor([&] { return !window()->findChild<QFileDialog*>("predictionDialog"); }));
  };
  open("other.json");
  ASSERT_TRUE(waitFor([&] { return page->notice()->text().contains("belongs to the images"); }))
      << page->notice()->text().toStdString();
  open("results.json");
  ASSERT_TRUE(waitFor([&] { return find<QWidget>("predictionStrip")->isVisible(); }));
  EXPECT_EQ(counts(), text(1, 0, index->boxes(*image).size() - 1)) << "files without names count from 1";
}

}  // namespace
}  // namespace roadtune::testing
