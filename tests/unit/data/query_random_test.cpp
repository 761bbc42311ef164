// SPDX-License-Identifier: GPL-3.0-or-later
// Questions drawn by chance, answered by the engine and by looking at every box with plain arithmetic.
#include "core/base/random.h"
#include "core/data/query/query.h"
#include "tests/unit/data/fake_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace roadtune::data {
namespace {

constexpr double kStored = 2.4e-7;  // half of the last bit of a coordinate

struct Asked {
  std::string text;
  std::function<bool(const ImageInfo&, const Box&)> holds;
};

double numberOf(const std::string& field, const Box& box) {
  if (field == "x") return box.x;
  if (field == "y") return box.y;
  if (field == "w") return box.w;
  if (field == "h") return box.h;
  if (field == "area") return box.w * box.h;
  if (field == "aspect") return box.h > 0 ? box.w / box.h : 0;
  return box.detectionLevel == 2 ? 2 : 1;
}

bool holds(const std::string& op, double a, double b, double slack) {
  if (op == "<") return a < b - slack;
  if (op == "<=") return a <= b + slack;
  if (op == ">") return a > b + slack;
  if (op == ">=") return a >= b - slack;
  return op == "=" ? std::abs(a - b) <= slack : std::abs(a - b) > slack;
}

class RandomQuestions : public ::testing::Test {
 protected:
  void SetUp() override {
    std::vector<Recording> recordings;
    for (int s = 0; s < 6; ++s) {
      Recording recording;
      recording.name = fmt::format("seg{}", s);
      recording.split = s % 2 ? "training" : "validation";
      recording.time = s % 3 ? "Day" : "Night";
      recording.format = "fake";
      recording.classes = {"unknown", "vehicle", "pedestrian", "sign", "cyclist", s % 2 ? "train" : "traffic cone"};
      const int images = s == 5 ? 3 : 70;
      for (int i = 0; i < images; ++i) {
        RecordedImage image = fakeImage(i / 2, i % 2 ? Camera::Front : Camera::SideLeft, {}, random.below(9) != 0);
        if (s == 4) image.width = 640 + 10 * static_cast<int>(random.below(40)), image.height = 480;  // many sizes
        if (s == 3 && i == 7) image.width = image.height = 0;
        image.boxes = boxes(image.width, image.height);
        recording.images.push_back(image);
      }
      recordings.push_back(recording);
    }
    folder.write("x.fake", "x");
    RecordingReaders readers;
    readers.push_back(std::make_unique<FakeReader>(std::move(recordings)));
    ImportRequest request;
    request.sources = {folder / "x.fake"};
    request.out = folder / "index";
    QuietProgress quiet;
    ASSERT_TRUE(importInto(request, readers, quiet).ok());
    index = Index::open(folder / "index").value();
    for (ImageId image = 0; image < index->imageCount(); ++image) boxesOf.push_back(index->boxes(image));
  }

  std::vector<Box> boxes(int width, int height) {
    std::vector<Box> all;
    const std::uint64_t count = random.below(12) == 0 ? 150 : random.below(9);  // some images span several words
    for (std::uint64_t k = count; k > 0; --k) {
      const auto length = [&](double most) {
        return random.below(3) ? random.uniform(0, most) : std::floor(random.uniform(0, most));
      };
      Box box = fakeBox(static_cast<std::uint8_t>(random.below(6)), length(width + 20.0) - 10,
                        length(height + 20.0) - 10, length(200), length(200), static_cast<int>(random.below(3)));
      if (random.below(4) == 0) box.x = 0.5 + 0.25 * static_cast<double>(random.below(4));
      if (random.below(20) == 0) box.h = 0;
      all.push_back(box);
    }
    return all;
  }

  // A threshold that some box has, or any.
  double threshold(const std::string& field) {
    for (int tries = 0; tries < 50 && random.below(2); ++tries) {
      const auto& some = boxesOf[random.below(boxesOf.size())];
      if (!some.empty()) return std::round(numberOf(field, some[random.below(some.size())]) * 1e6) / 1e6;
    }
    return std::floor(random.uniform(-5, 300) * 4) / 4;
  }

  Asked test() {
    static const std::vector<std::string> ops = {"<", "<=", ">", ">=", "=", "!="};
    static const std::vector<std::string> fields = {"x", "y", "w", "h", "area", "aspect", "level"};
    switch (random.below(6)) {
      case 0: {
        const std::string name = index->classNames()[random.below(index->classNames().size())];
        const auto number = *index->findClass(name);
        return {"class = \"" + name + "\"", [=](const ImageInfo&, const Box& box) { return box.type == number; }};
      }
      case 1: {
        const bool wanted = random.below(2);
        return {fmt::format("truncated = {}", wanted), [=](const ImageInfo& image, const Box& box) {
                  const bool touches =
                      image.width > 0 && image.height > 0 &&
                      (box.x < 1 || box.y < 1 || box.x + box.w > image.width - 1 || box.y + box.h > image.height - 1);
                  return touches == wanted;
                }};
      }
      case 2: {
        const std::string field = fields[random.below(4)], op = ops[random.below(4)];
        const int percent = static_cast<int>(random.below(100));
        return {fmt::format("{} {} {}%", field, op, percent), [=](const ImageInfo& image, const Box& box) {
                  const double whole = field == "x" || field == "w" ? image.width : image.height;
                  return holds(op, numberOf(field, box), percent / 100.0 * whole, kStored);
                }};
      }
      default: {
        const std::string field = fields[random.below(fields.size())], op = ops[random.below(ops.size())];
        const double value = field == "level" ? 1 + static_cast<double>(random.below(2)) : threshold(field);
        const double slack = field == "level"                       ? 0
                             : field == "area" || field == "aspect" ? 1e-9 * std::abs(value)
                                                                    : kStored;
        return {fmt::format("{} {} {}", field, op, value),
                [=](const ImageInfo&, const Box& box) { return holds(op, numberOf(field, box), value, slack); }};
      }
    }
  }

  Asked condition() {
    const Asked a = test();
    if (random.below(3) == 0) return a;
    const Asked b = test();
    if (random.below(2))
      return {a.text + " and " + b.text,
              [=](const ImageInfo& i, const Box& box) { return a.holds(i, box) && b.holds(i, box); }};
    return {"not (" + a.text + " or " + b.text + ")",
            [=](const ImageInfo& i, const Box& box) { return !(a.holds(i, box) || b.holds(i, box)); }};
  }

  std::vector<double> valuesThat(ImageId image, const Asked& asked, const std::string& field) const {
    std::vector<double> values;
    for (const Box& box : boxesOf[image])
      if (asked.holds(index->image(image), box)) values.push_back(numberOf(field, box));
    return values;
  }

  testing::TempFolder folder;
  Random random{2026};
  std::shared_ptr<const Index> index;
  std::vector<std::vector<Box>> boxesOf;
};

TEST_F(RandomQuestions, FiltersAgreeWithAPlainLook) {
  QueryEngine engine(index);
  for (int round = 0; round < 400; ++round) {
    const Asked asked = condition();
    const auto kind = random.below(4);
    const std::size_t least = random.below(4);
    const std::string text = kind == 0   ? "any(" + asked.text + ")"
                             : kind == 1 ? "all(" + asked.text + ")"
                             : kind == 2 ? "none(" + asked.text + ")"
                                         : fmt::format("count({}) >= {}", asked.text, least);
    std::vector<ImageId> expected;
    for (ImageId image = 0; image < index->imageCount(); ++image) {
      const std::size_t found = valuesThat(image, asked, "h").size();
      const bool wanted = kind == 0   ? found > 0
                          : kind == 1 ? found == boxesOf[image].size()
                          : kind == 2 ? found == 0
                                      : found >= least;
      if (wanted) expected.push_back(image);
    }
    const Query query = Query::parse(text).value();
    ASSERT_EQ(engine.run(query).value().images, expected) << text;
    ASSERT_EQ(QueryEngine(index).count(query).value(), expected.size()) << text;
  }
}

TEST_F(RandomQuestions, SortsAgreeWithAPlainLook) {
  QueryEngine engine(index);
  static const std::vector<std::string> fields = {"x", "y", "w", "h", "area", "aspect", "level"};
  static const std::vector<std::string> kinds = {"min", "max", "avg", "sum"};
  for (int round = 0; round < 120; ++round) {
    const std::string field = fields[random.below(fields.size())], kind = kinds[random.below(kinds.size())];
    const bool down = random.below(2), few = random.below(2);
    const std::string filter = few ? "any(cyclist, h<30)" : "";
    const std::size_t limit = random.below(3) ? 1 + random.below(50) : 100000;
    std::vector<std::pair<double, ImageId>> keyed;
    for (ImageId image = 0; image < index->imageCount(); ++image) {
      const auto& boxes = boxesOf[image];
      if (few && std::none_of(boxes.begin(), boxes.end(),
                              [](const Box& b) { return b.type == kCyclist && b.h < 30 - kStored; }))
        continue;
      double value = 0, low = 1e300, high = -1e300;
      for (const Box& box : boxes) {
        value += numberOf(field, box);
        low = std::min(low, numberOf(field, box));
        high = std::max(high, numberOf(field, box));
      }
      if (kind == "avg") value = boxes.empty() ? NAN : value / static_cast<double>(boxes.size());
      if (kind == "min") value = boxes.empty() ? NAN : low;
      if (kind == "max") value = boxes.empty() ? NAN : high;
      keyed.emplace_back(value, image);
    }
    const std::string text =
        fmt::format("{} sort by {}({}) {} limit {}", filter, kind, field, down ? "desc" : "", limit);
    const auto found = engine.run(Query::parse(text).value());
    ASSERT_TRUE(found.ok()) << text;
    ASSERT_EQ(found.value().images.size(), std::min(limit, keyed.size())) << text;
    std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
      if (std::isnan(a.first) || std::isnan(b.first)) return !std::isnan(a.first) && std::isnan(b.first);
      return down ? a.first > b.first : a.first < b.first;
    });
    std::map<ImageId, double> valueOf;
    for (const auto& [value, image] : keyed) valueOf[image] = value;
    for (std::size_t i = 0; i < found.value().images.size(); ++i) {
      // Sums may differ in their last bits, and so may the order of images that are equal but for them.
      const double a = valueOf.at(found.value().images[i]), b = keyed[i].first;
      const bool same = (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
      ASSERT_TRUE(same) << text << " at " << i << ": " << a << " and " << b;
      if (kind == "min" || kind == "max") ASSERT_EQ(found.value().images[i], keyed[i].second) << text << " at " << i;
    }
    ASSERT_EQ(engine.run(Query::parse(text).value()).value().images, found.value().images) << text;
  }
}

TEST_F(RandomQuestions, FacetsOfClassesAndHistogramsAgreeWithAPlainLook) {
  QueryEngine engine(index);
  for (const char* text : {"", "time=Night", "any(h<30) and camera=front"}) {
    const Query query = Query::parse(text).value();
    const auto images = engine.run(query).value().images;
    std::map<std::string, std::size_t> classes;
    std::vector<std::uint64_t> heights(40), model(40);
    for (const ImageId image : images) {
      std::set<std::string> seen;
      for (const Box& box : boxesOf[image]) {
        seen.insert(index->classNames()[box.type]);
        ++heights[std::min<std::size_t>(39, static_cast<std::size_t>(std::round(box.h * 32) / 32 / 5))];
        const int height = index->image(image).height;
        ++model[std::min<std::size_t>(
            39, static_cast<std::size_t>(std::round(box.h * 32) / 32 * (height > 0 ? 448.0 / height : 1) / 5))];
      }
      for (const std::string& name : seen) ++classes[name];
    }
    const auto facets = engine.facets(query);
    ASSERT_TRUE(facets.ok());
    for (const Facet& facet : facets.value()) {
      if (facet.field != "class") continue;
      std::map<std::string, std::size_t> found;
      for (const FacetValue& value : facet.values)
        if (value.count > 0) found[value.value] = value.count;
      EXPECT_EQ(found, classes) << text;
    }
    EXPECT_EQ(engine.histogram(query, Measure::BoxHeight, 40, 0, 200).value().counts, heights) << text;
    EXPECT_EQ(engine.histogram(query, Measure::ModelHeight, 40, 0, 200, 448).value().counts, model) << text;
  }
}

}  // namespace
}  // namespace roadtune::data
