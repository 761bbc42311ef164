// SPDX-License-Identifier: GPL-3.0-or-later
// Places, what belongs to a file, and the transfers that need no server. tests/integration/storage has the rest.
#include "core/data/storage/storage.h"

#include "core/data/storage/companions.h"
#include "core/data/storage/fetch.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace roadtune::data {
namespace {

namespace fs = std::filesystem;

TEST(Locations, AreReadAndWrittenAsAUserTypesThem) {
  const Location place = parseLocation("s3://bucket/a/b.tar/").value();
  EXPECT_EQ(place.kind, Location::Kind::S3);
  EXPECT_EQ(place.bucket, "bucket");
  EXPECT_EQ(place.text(), "s3://bucket/a/b.tar");
  EXPECT_EQ(place.name(), "b.tar");
  EXPECT_EQ(place.parent().text(), "s3://bucket/a");
  EXPECT_EQ(place.parent().parent().parent().text(), "s3://bucket");
  EXPECT_EQ(place.child("c/d").text(), "s3://bucket/a/b.tar/c/d");
  EXPECT_EQ(parseLocation("gs://b").value().child("x").text(), "gs://b/x");
  EXPECT_EQ(parseLocation("/data/x/").value().text(), "/data/x");
  EXPECT_TRUE(parseLocation("x").value().key.starts_with("/"));
}

TEST(Locations, WhatCarriesSecretsOrLeavesItsBucketIsRefused) {
  for (const std::string url : {"s3://AKID:geheim@bucket/x", "s3://bucket/x?secret_key=geheim", "s3://", "s3:///x",
                                "http://host/x", "s3://bucket/a/../../b", "s3://bucket/a//b"}) {
    const auto place = parseLocation(url);
    ASSERT_FALSE(place.ok()) << url;
    EXPECT_EQ(place.error().kind, ErrorKind::BadInput);
    EXPECT_EQ(place.error().text().find("geheim"), std::string::npos) << place.error().text();
  }
}

TEST(Locations, EveryServerHasItsOwnPlaceInTheCache) {
  ::unsetenv("AWS_ENDPOINT_URL");
  const Location place = parseLocation("s3://bucket/a/b").value();
  EXPECT_EQ(placeInCache("/c", place), "/c/s3/bucket/a/b");
  ::setenv("AWS_ENDPOINT_URL", "http://localhost:9000/", 1);
  EXPECT_EQ(placeInCache("/c", place), "/c/s3-localhost-9000/bucket/a/b");
  ::unsetenv("AWS_ENDPOINT_URL");
}

TEST(Companions, ArePicturesThatAFileNamesBesideIt) {
  const testing::TempFolder folder;
  const auto jsonl =
      folder.write("t.jsonl",
                   "{\"image\":\"pics/a.jpg\"}\nbroken\n{\"image\":\"../up.jpg\"}\n{\"image\":\"/abs.jpg\"}"
                   "\n{\"image\":\"./b.jpg\"}\n{\"other\":1}\n");
  EXPECT_EQ(companionsOf(jsonl).value(), (std::set<std::string>{"ATTRIBUTION", "b.jpg", "pics/a.jpg"}));
  const auto coco = folder.write("c.json", "{\"images\":[{\"file_name\":\"1.jpg\"},{\"id\":2}]}");
  EXPECT_EQ(companionsOf(coco).value(), (std::set<std::string>{"1.jpg", "ATTRIBUTION", "images/1.jpg"}));
  EXPECT_TRUE(companionsOf(folder.write("x.json", "[]")).value().contains("ATTRIBUTION"));
}

TEST(LocalStorage, FilesAppearWholeAndComeBack) {
  const testing::TempFolder folder;
  const auto source = folder.write("source", std::string(20 << 20, 'x') + "end");
  const Location place = parseLocation((folder / "store").string()).value();
  const auto storage = Storage::open(place).value();
  EXPECT_TRUE(storage->list(place).value().empty());
  const Status stopped = storage->upload(source, place.child("a/big"), [](std::uint64_t) { return false; });
  EXPECT_EQ(stopped.error().kind, ErrorKind::Cancelled);
  EXPECT_TRUE(storage->list(place).value().empty());
  ASSERT_TRUE(storage->upload(source, place.child("a/big")).ok());
  ASSERT_TRUE(storage->uploadText("", place.child("empty")).ok());
  const auto objects = storage->list(place).value();
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].name, "a/big");
  EXPECT_EQ(objects[0].bytes, (20u << 20) + 3);
  EXPECT_EQ(storage->read(place.child("a/big"), 20 << 20).value(), "end");
  EXPECT_EQ(storage->read(place.child("a/big"), 1 << 30).value(), "");
  ASSERT_TRUE(storage->download(place.child("a/big"), folder / "back", folder / "parts").ok());
  EXPECT_EQ(testing::readAll(folder / "back"), testing::readAll(source));
  EXPECT_TRUE(storage->remove(place.child("empty")).ok());
  EXPECT_TRUE(storage->remove(place.child("empty")).ok());
  EXPECT_FALSE(storage->find(place.child("empty")).value().has_value());
}

}  // namespace
}  // namespace roadtune::data
