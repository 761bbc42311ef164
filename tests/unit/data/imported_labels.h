// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/data/image/encode.h"
#include "tests/unit/data/fake_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace roadtune::data {

// Folders of labels, imported.
class ImportedLabels : public ::testing::Test {
 protected:
  void picture(const std::string& name, int width = 200, int height = 100) const {
    Image image(width, height);
    folder.write(name, name.ends_with(".png") ? encodePng(image).value() : encodeJpeg(image).value());
  }

  std::shared_ptr<const Index> import(const std::vector<std::filesystem::path>& sources) {
    ImportRequest request;
    request.sources = sources;
    request.out = folder / "index";
    request.onProblem = [&](const Problem& problem) { problems.push_back(problem.line()); };
    const auto outcome = importInto(request, basicReaders(), quiet);
    EXPECT_TRUE(outcome.ok());
    return Index::open(folder / "index").value();
  }

  static std::string told(const Index& index, ImageId image) {
    std::string text = index.image(image).labelled ? "" : "not labelled ";
    for (const Box& box : index.boxes(image))
      text += fmt::format("{}({:.1f} {:.1f} {:.1f} {:.1f}) ", index.classNames()[box.type], box.x, box.y, box.w, box.h);
    return text;
  }

  bool wasTold(const std::string& part) const {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
  }

  testing::TempFolder folder;
  QuietProgress quiet;
  std::vector<std::string> problems;
};

}  // namespace roadtune::data
