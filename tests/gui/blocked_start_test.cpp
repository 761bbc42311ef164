// SPDX-License-Identifier: GPL-3.0-or-later
// Beside a start that is blocked stands the mistake that blocks it, by its field's name.
#include "tests/gui/made_data.h"
#include "tests/gui/studio_fixture.h"

#include <QLabel>

namespace roadtune::testing {
namespace {

struct BlockedStart : StudioTest {
  // What stands there for these settings, which come after a mere warning.
  QString why(const std::string& settings) {
    home.write("run.yaml", "model_name_or_path: " + tinyModel().string() + "\ntrain_data: " + drawnIndex().string() +
                               "\neval_data: " + drawnIndex().string() + "\neval_strategy: \"no\"\noutput_dir: " +
                               (home / "runs/one").string() + "\n" + settings);
    studio::Options options;
    options.config = QString::fromStdString((home / "run.yaml").string());
    options.page = "train";
    open(options);
    auto* label = find<QLabel>("startBlocked");
    EXPECT_TRUE(waitFor([&] { return label->isVisible() && !label->text().isEmpty(); }));
    return label->text();
  }
};

TEST_F(BlockedStart, IsNotForAWarning) {
  const QString one = why("learning_rate: fast\n");
  EXPECT_TRUE(one.startsWith("One setting stands in the way: Learning rate: ")) << one.toStdString();
}

TEST_F(BlockedStart, NamesTheFirstOfSeveral) {
  const QString several = why("learning_rate: fast\nseed: none\n");
  EXPECT_TRUE(several.startsWith("2 settings stand in the way. The first is Learning rate: ")) << several.toStdString();
}

TEST_F(BlockedStart, ATextThatCannotBeReadComesFirst) {
  const QString unread = why("seed: [7\n");
  EXPECT_TRUE(unread.startsWith("The text cannot be read at line ")) << unread.toStdString();
}

}  // namespace
}  // namespace roadtune::testing
