// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/query.h"

#include "core/base/clock.h"
#include "core/base/random.h"
#include "tests/unit/data/fake_recordings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>

namespace roadtune::data {
namespace {

using testing::TempFolder;

class QueryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Recording day = fakeRecording("100_day", "training", "Day");
    day.images = {
        fakeImage(10, Camera::Front, {fakeBox(kVehicle, 0, 100, 50, 40), fakeBox(kPedestrian, 500, 200, 20, 60, 2)}),
        fakeImage(10, Camera::FrontLeft, {}), fakeImage(10, Camera::SideLeft, {}, false)};
    Recording night = fakeRecording("200_night", "validation", "Night");
    night.location = "location_phx";
    night.weather = "rain";
    night.images = {fakeImage(20, Camera::Front,
                              {fakeBox(kCyclist, 10, 20, 30, 39.5, 2, "c1"), fakeBox(kPedestrian, 40, 50, 10, 30),
                               fakeBox(kPedestrian, 80, 50, 10, 31)}),
                    fakeImage(30, Camera::Front, {fakeBox(kVehicle, 100, 100, 200, 100, 1, "v9")})};
    index = makeIndex(folder, {day, night});
  }

  std::vector<ImageId> find(const std::string& text) {
    QueryEngine engine(index);
    const auto query = Query::parse(text);
    EXPECT_TRUE(query.ok()) << text << "\n" << (query.ok() ? "" : query.error().text());
    const auto result = engine.run(query.value());
    EXPECT_TRUE(result.ok()) << text << "\n" << (result.ok() ? "" : result.error().text());
    if (!result.ok()) return {};
    EXPECT_EQ(engine.count(query.value()).value(), result.value().count);
    return result.value().images;
  }

  QueryError errorOf(const std::string& text) {
    QueryError where;
    const auto query = Query::parse(text, where);
    if (query.ok()) {
      EXPECT_FALSE(QueryEngine(index).check(query.value(), where).ok()) << text;
    }
    return where;
  }

  using Ids = std::vector<ImageId>;
  TempFolder folder;
  std::shared_ptr<const Index> index;
};

TEST_F(QueryTest, EmptyIsEverything) { EXPECT_EQ(find(""), (Ids{0, 1, 2, 3, 4})); }

TEST_F(QueryTest, ImageFields) {
  EXPECT_EQ(find("split=training"), (Ids{0, 1, 2}));
  EXPECT_EQ(find("split=train"), (Ids{0, 1, 2}));
  EXPECT_EQ(find("camera in (front_left, side_left)"), (Ids{1, 2}));
  EXPECT_EQ(find("camera not in (front, SIDE_LEFT)"), (Ids{1}));
  EXPECT_EQ(find("time = NIGHT"), (Ids{3, 4}));
  EXPECT_EQ(find("location=phx or location=location_sf"), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(find("weather != sunny"), (Ids{3, 4}));
  EXPECT_EQ(find("segment=200*"), (Ids{3, 4}));
  EXPECT_EQ(find("segment = '100_day'"), (Ids{0, 1, 2}));
  EXPECT_EQ(find("timestamp >= 20"), (Ids{3, 4}));
  EXPECT_EQ(find("frame = 1"), (Ids{4}));
  EXPECT_EQ(find("height < 1000"), (Ids{2}));
  EXPECT_EQ(find("n > 1"), (Ids{0, 3}));
  EXPECT_EQ(find("n in (1, 3)"), (Ids{3, 4}));
  EXPECT_EQ(find("labelled"), (Ids{0, 1, 3, 4}));
  EXPECT_EQ(find("not labelled"), (Ids{2}));
  EXPECT_EQ(find("labelled=false"), (Ids{2}));
  EXPECT_EQ(find("weather = fog"), (Ids{}));
}

TEST_F(QueryTest, Boxes) {
  EXPECT_EQ(find("any(pedestrian)"), (Ids{0, 3}));
  EXPECT_EQ(find("any(cyclist, h<40, level=2)"), (Ids{3}));
  EXPECT_EQ(find("any(cyclist, h<39)"), (Ids{}));
  EXPECT_EQ(find("any(pedestrian or cyclist, level=2)"), (Ids{0, 3}));
  EXPECT_EQ(find("any(class in (vehicle, cyclist) and w>=200)"), (Ids{4}));
  EXPECT_EQ(find("all(vehicle)"), (Ids{1, 2, 4}));  // images without boxes have none that is something else
  EXPECT_EQ(find("none(pedestrian) and labelled"), (Ids{1, 4}));
  EXPECT_EQ(find("count(pedestrian)>=2"), (Ids{3}));
  EXPECT_EQ(find("count(pedestrian, h>30) = 1"), (Ids{0, 3}));
  EXPECT_EQ(find("count() = 0"), (Ids{1, 2}));
  EXPECT_EQ(find("min(h) < 35"), (Ids{3}));
  EXPECT_EQ(find("max(area, vehicle) >= 20000"), (Ids{4}));
  EXPECT_EQ(find("any(aspect>1.9)"), (Ids{4}));
  EXPECT_EQ(find("any(track=v9)"), (Ids{4}));
  EXPECT_EQ(find("any(truncated)"), (Ids{0}));
  EXPECT_EQ(find("any(x < 10%, y>7%)"), (Ids{0, 4}));
  EXPECT_EQ(find("any(not level=1)"), (Ids{0, 3}));
}

TEST_F(QueryTest, ListsOfTruthsAndEverySpellingOfACamera) {
  EXPECT_EQ(find("labelled in (true, false)"), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(find("labelled not in (no, true)"), (Ids{}));
  EXPECT_EQ(find("labelled != true"), (Ids{2}));
  EXPECT_EQ(find("count(truncated in (true, false)) > 0"), (Ids{0, 3, 4}));
  EXPECT_EQ(find("any(truncated != false)"), (Ids{0}));
  EXPECT_EQ(find("camera = front-left"), (Ids{1}));
  EXPECT_EQ(find("camera not in (Front-Left, *side*)"), (Ids{0, 3, 4}));
  EXPECT_EQ(find("camera = unknown"), (Ids{}));
}

TEST_F(QueryTest, TextsAreKeptApartWhateverTheyHold) {
  const std::string one = "segment in ('100_day , \"200_night')", two = "segment in ('100_day', '200_night')";
  QueryEngine engine(index);
  EXPECT_EQ(engine.count(Query::parse(one).value()).value(), 0u);
  EXPECT_EQ(engine.count(Query::parse(two).value()).value(), 5u);
}

TEST_F(QueryTest, NumbersAreReadAlikeEverywhere) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"})
    if (std::setlocale(LC_NUMERIC, locale)) break;
  EXPECT_EQ(find("any(h < 39.6, cyclist)"), (Ids{3}));
  std::setlocale(LC_NUMERIC, before.c_str());
  EXPECT_EQ(find("n > +2"), (Ids{3}));
  EXPECT_EQ(find("n > -.5 and n < 1e0"), (Ids{1, 2}));
  for (const char* text : {"n > 0x1", "n > +-1", "n > 1e999", "n > nan", "n > 1,5"})
    EXPECT_FALSE(Query::parse(text).ok()) << text;
}

TEST_F(QueryTest, OnlyTagsAndNotesAskForWhatTheUserWrote) {
  for (const char* text : {"TAG:reviewed", "n>1 or (not Note = rain)", "tag in (a, b)", "note"})
    EXPECT_TRUE(Query::parse(text).value().asksForUserData()) << text;
  for (const char* text : {"", "segment = tagged", "any(track = note)"})
    EXPECT_FALSE(Query::parse(text).value().asksForUserData()) << text;
}

TEST_F(QueryTest, PrecedenceAndParentheses) {
  EXPECT_EQ(find("camera=side_left or camera=front and time=night"), (Ids{2, 3, 4}));
  EXPECT_EQ(find("(camera=side_left or camera=front) and time=day"), (Ids{0, 2}));
  EXPECT_EQ(find("not (camera=front or n=0)"), (Ids{}));
  EXPECT_EQ(find("not camera=front and not labelled"), (Ids{2}));
}

TEST_F(QueryTest, SortAndLimit) {
  EXPECT_EQ(find("sort by n desc"), (Ids{3, 0, 4, 1, 2}));
  EXPECT_EQ(find("sort by min(h)"), (Ids{3, 0, 4, 1, 2}));  // no box: last
  EXPECT_EQ(find("sort by min(h) desc"), (Ids{4, 0, 3, 1, 2}));
  EXPECT_EQ(find("sort by count(pedestrian) desc limit 2"), (Ids{3, 0}));
  EXPECT_EQ(find("sort by time desc limit 2"), (Ids{3, 4}));
  EXPECT_EQ(find("limit 1"), (Ids{0}));
  const auto query = Query::parse("sort by n desc limit 1").value();
  EXPECT_EQ(QueryEngine(index).run(query).value().count, 5u);  // the count is that of all
}

TEST_F(QueryTest, TagsAndNotes) {
  auto user = UserData::open(*index).value();
  ASSERT_TRUE(user.addTag(*index, {1, 3}, "Reviewed").ok());
  ASSERT_TRUE(user.setNote(*index, 4, "blurred by rain").ok());
  QueryEngine engine(index);
  ASSERT_TRUE(engine.setUserData(user).ok());
  const auto ids = [&](const char* text) { return engine.run(Query::parse(text).value()).value().images; };
  EXPECT_EQ(ids("tag:reviewed"), (Ids{1, 3}));
  EXPECT_EQ(ids("tag = reviewed and camera=front"), (Ids{3}));
  EXPECT_EQ(ids("not tag:reviewed"), (Ids{0, 2, 4}));
  EXPECT_EQ(ids("note"), (Ids{4}));
  EXPECT_EQ(ids("note = Rain"), (Ids{4}));
}

TEST_F(QueryTest, ErrorsPointAtTheColumnAndSuggest) {
  const auto expect = [&](const char* text, std::size_t column, const char* suggestion) {
    const QueryError error = errorOf(text);
    EXPECT_EQ(error.column, column) << text << ": " << error.message;
    EXPECT_EQ(error.suggestion, suggestion) << text;
  };
  expect("splt=training", 0, "split");
  expect("n>1 and heigth<3", 8, "height");
  expect("any(cyclst)", 4, "cyclist");
  expect("any(vehicle, hh<4)", 13, "h");
  expect("camera=frnt", 7, "front");
  expect("time=nihgt", 5, "Night");
  expect("n >", 3, "40");
  expect("n > 1)", 5, "remove it");
  expect("(n > 1", 6, ")");
  expect("camera in (front", 16, ")");
  expect("n = two", 4, "40");
  expect("limit -2", 6, "limit 100");
  expect("limit 0", 6, "limit 100");
  expect("sort n", 5, "sort by n");
  expect("sort by note", 8, "n");
  expect("count(vehicle)", 14, ">= 1");
  expect("n>1 && n<3", 4, "and");
  expect("segment = 'abc", 10, "'");
  expect("camera < front", 7, "= or !=");
  const char* fields =
      "segment, timestamp, frame, camera, split, time, location, weather, width, height, n, labelled, tag, note";
  expect("speed>3", 0, fields);
  expect("foo=1", 0, fields);
  expect("sort by quality", 8, fields);
  expect("quantity(vehicle)>1", 0, "any, all, none, count, min, max, avg, mean, sum");
  expect("n>abc", 2, "40");
  expect("timestamp=now", 10, "40");
  expect("width>10%", 6, "10");
  expect("count(vehicle)>10%", 15, "10");
  expect("any(aspect>10%)", 11, "10");
  expect("n~3", 1, "=");
  expect("n>1 #", 4, "remove it");
  expect("tag=", 4, "reviewed");
  expect("split=", 6, "training");
  expect("any(class=)", 10, "pedestrian");
  expect("any(level=9)", 10, "2");
  expect("any(level in (1, 0))", 17, "2");
}

TEST_F(QueryTest, ErrorsCountCharactersAndQuoteWhatWasTyped) {
  const std::string query = "location=\"größe\" and Fö0=1";
  const std::string told = errorOf(query.c_str()).text(query);
  EXPECT_NE(told.find("column 22: there is no field 'Fö0'"), std::string::npos) << told;
  EXPECT_NE(told.find("\n  " + std::string(21, ' ') + "^^^"), std::string::npos) << told;
  EXPECT_EQ(told.find("^^^^"), std::string::npos) << told;
  EXPECT_EQ(errorOf("any(Cyclst)").message, "there is no class 'Cyclst'");
  EXPECT_EQ(errorOf("camera=FRNT").message, "there is no camera 'FRNT'");
}

TEST_F(QueryTest, LongQueriesAreReadInOneGo) {
  std::string text = "n>0";
  for (int i = 0; i < 50000; ++i) text += " or n>" + std::to_string(i);
  const double began = monotonicSeconds();
  EXPECT_TRUE(Query::parse(text).ok());
  EXPECT_LT(monotonicSeconds() - began, 5);  // looking at all words for each term: half a minute
}

TEST_F(QueryTest, NonsenseNeverCrashes) {
  Random random(7);
  const std::vector<std::string> words = {"n",   ">",     "3",     "and", "or",  "not", "(", ")",
                                          "any", "count", ",",     "in",  "tag", ":",   "=", "sort",
                                          "by",  "limit", "class", "h",   "%",   "'"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::uint64_t k = random.below(12); k > 0; --k) text += words[random.below(words.size())] + " ";
    const auto query = Query::parse(text);
    if (query.ok()) static_cast<void>(QueryEngine(index).count(query.value()).ok());
  }
  EXPECT_FALSE(Query::parse(std::string(5000, '(')).ok());
}

TEST_F(QueryTest, FacetsCountUnderAllFiltersButTheirOwn) {
  QueryEngine engine(index);
  const auto facets = engine.facets(Query::parse("camera=front and time=night").value()).value();
  const auto value = [&](const std::string& field, const std::string& word) -> FacetValue {
    for (const Facet& facet : facets)
      for (const FacetValue& v : facet.values)
        if (facet.field == field && v.value == word) return v;
    return {};
  };
  EXPECT_EQ(value("time", "Day").count, 1u);  // front, any time
  EXPECT_EQ(value("time", "Night").count, 2u);
  EXPECT_TRUE(value("time", "Night").selected);
  EXPECT_FALSE(value("time", "Day").selected);
  EXPECT_EQ(value("camera", "front").count, 2u);  // night, any camera
  EXPECT_EQ(value("split", "validation").count, 2u);
  EXPECT_EQ(value("class", "pedestrian").count, 1u);
}

TEST_F(QueryTest, ClassesThatTheQueryExcludesStayAtNothing) {
  QueryEngine engine(index);
  const auto classesOf = [&](const char* text) {
    const auto facets = engine.facets(Query::parse(text).value()).value();
    for (const Facet& facet : facets)
      if (facet.field == "class") return facet.values;
    return std::vector<FacetValue>();
  };
  const auto all = classesOf(""), none = classesOf("n>1000");
  ASSERT_FALSE(all.empty());
  ASSERT_EQ(none.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(none[i].value, all[i].value);
    EXPECT_GT(all[i].count, 0u) << "a class that never occurs is not shown: " << all[i].value;
    EXPECT_EQ(none[i].count, 0u);
  }
}

TEST_F(QueryTest, HistogramsCountBoxesOfTheMatchingImages) {
  QueryEngine engine(index);
  const auto heights = engine.histogram(Query::parse("time=night").value(), Measure::BoxHeight, 4, 0, 80).value();
  EXPECT_EQ(heights.counts, (std::vector<std::uint64_t>{0, 3, 0, 1}));  // 39.5, 30, 31 and, beyond the end, 100
  const auto perImage = engine.histogram(Query::parse("").value(), Measure::BoxesPerImage, 4, 0, 4).value();
  EXPECT_EQ(perImage.counts, (std::vector<std::uint64_t>{2, 1, 1, 1}));
}

TEST_F(QueryTest, ACancelledQuestionHasNoAnswer) {
  CancelToken token;
  token.cancel();
  const auto result = QueryEngine(index).run(Query::parse("any(vehicle)").value(), token);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::Cancelled);
}

// The columns are rounded to a grid; answers must be those of the exact numbers, also at the very threshold.
TEST(QueryExactness, AgreesWithANaiveLookAtTheBoxes) {
  const TempFolder folder;
  Random random(11);
  std::vector<Recording> recordings;
  for (int s = 0; s < 5; ++s) {
    Recording recording = fakeRecording(fmt::format("seg{}", s), "training");
    for (int i = 0; i < 40; ++i) {
      std::vector<Box> boxes;
      for (std::uint64_t k = random.below(9); k > 0; --k) {
        const auto length = [&] {
          return random.below(3) ? random.uniform(0, 100) : std::ceil(random.uniform(0, 100));
        };
        boxes.push_back(fakeBox(static_cast<std::uint8_t>(random.below(5)), length() * 10, length() * 8, length(),
                                length(), static_cast<int>(random.below(3))));
      }
      recording.images.push_back(fakeImage(i, Camera::Front, boxes));
    }
    recordings.push_back(recording);
  }
  const auto index = makeIndex(folder, recordings);
  const auto ask = [&](const std::string& text, auto&& boxTest) {
    std::size_t expected = 0;
    for (const Recording& recording : recordings)
      for (const RecordedImage& image : recording.images)
        expected += std::any_of(image.boxes.begin(), image.boxes.end(), boxTest);
    EXPECT_EQ(QueryEngine(index).count(Query::parse(text).value()).value(), expected) << text;
  };
  for (int i = 0; i < 60; ++i) {
    const Box& some = [&]() -> const Box& {
      while (true) {
        const auto& images = recordings[random.below(5)].images;
        const auto& boxes = images[random.below(images.size())].boxes;
        if (!boxes.empty()) return boxes[random.below(boxes.size())];
      }
    }();
    // Half of the thresholds are the height of a real box, but for a hair.
    const double t = i % 2 ? std::round(some.h * 1000) / 1000 : std::floor(random.uniform(0, 100));
    const double hair = 1e-6;
    ask(fmt::format("any(h < {})", t), [&](const Box& b) { return b.h < t - hair; });
    ask(fmt::format("any(h >= {}, pedestrian)", t),
        [&](const Box& b) { return b.h >= t - hair && b.type == kPedestrian; });
    ask(fmt::format("any(w > {} and level=2)", t),
        [&](const Box& b) { return b.w > t + hair && b.detectionLevel == 2; });
    ask(fmt::format("any(x <= {})", t * 10), [&](const Box& b) { return b.x <= t * 10 + hair; });
  }
}

}  // namespace
}  // namespace roadtune::data
