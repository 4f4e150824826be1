#include "dinette/dynamodb/item_files/export_writer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/compression.h"
#include "dinette/base/ids.h"
#include "dinette/objects/memory_store.h"

#include "dynamodb/exports/failing_store.h"

namespace dinette::dynamodb::item_files::export_writer_test {
namespace {

/// An export of the items to objects in memory, which takes so many of them.
struct Export {
  explicit Export(int most = 1000) : store(*memory, most, objects::ErrorKind::access_denied) {
    REQUIRE(memory->create_bucket("bucket").ok());
  }

  base::ManualClock clock{base::TimePoint(std::chrono::milliseconds(1'604'474'914'028))};
  base::SeededIds ids{1};
  std::unique_ptr<objects::BucketStore> memory = objects::make_memory_store(clock);
  test::FailingStore store;

  objects::Result<void> write(const std::vector<std::string>& items, std::optional<std::string> prefix = {},
                              std::size_t file_bytes = ExportWriter::default_file_bytes) {
    ExportWriter writer({store, "bucket", std::move(prefix), new_export_id(clock.now(), ids)},
                        {.started = clock.now(),
                         .table_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/T",
                         .table_id = "id",
                         .export_time = clock.now(),
                         .bucket = "b"},
                        file_bytes);
    DINETTE_CHECK(writer.begin());
    for (const std::string& item : items) DINETTE_CHECK(writer.add(item));
    clock.advance(std::chrono::seconds(1));
    DINETTE_CHECK(writer.finish(clock.now()));
    CHECK(writer.items() == items.size());
    return {};
  }

  /// Returns the objects by their keys.
  std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> found;
    const objects::Listing listing = memory->list("bucket", {}).value();
    for (const objects::ObjectInfo& object : listing.objects) {
      std::string& text = found[object.key];
      text.resize(object.size);
      if (!text.empty()) CHECK(memory->open("bucket", object.key).value()->read(text).value() == text.size());
    }
    return found;
  }

  std::string object(std::string_view name) const {
    for (const auto& [key, text] : all()) {
      if (key.ends_with("/" + std::string(name))) return text;
    }
    FAIL("there is no " << name);
    return "";
  }

  std::vector<ListedFile> files() const { return read_files(object(files_name)).value(); }

  std::string data(const ListedFile& file) const {
    return std::string(base::decompress(base::Compression::gzip, all().at(file.key), 1 << 20).value().view());
  }
};

TEST_CASE("an export has the service's objects, and no others") {
  Export made;
  REQUIRE(made.write({R"({"pk":{"S":"a"}})"}).ok());
  std::string keys;
  for (const auto& [key, bytes] : made.all()) keys += key + "\n";
  const std::string folder = "AWSDynamoDB/01604474914028-[0-9a-f]{8}/";
  const std::regex expected(folder + "_started\n" + folder + "data/[a-z2-7]{26}\\.json\\.gz\n" + folder +
                            "manifest-files\\.json\n" + folder + "manifest-files\\.md5\n" + folder +
                            "manifest-summary\\.json\n" + folder + "manifest-summary\\.md5\n");
  INFO(keys);
  CHECK(std::regex_match(keys, expected));
  CHECK(made.object(started_name).empty());
  CHECK(made.store.written.front().ends_with(started_name));
  CHECK(made.store.written.back().ends_with(summary_name));
}

TEST_CASE("items are taken over as they are, one per line") {
  Export made;
  REQUIRE(
      made.write({R"({"pk":{"S":"\u00e9 \" é"},"n":{"N":"1E+2"}})", "{\n  \"pk\": {\"S\": \"a\\nb c\"}\n}"})
          .ok());
  REQUIRE(made.files().size() == 1);
  CHECK(made.data(made.files()[0]) == R"({"Item":{"pk":{"S":"\u00e9 \" é"},"n":{"N":"1E+2"}}})"
                                      "\n"
                                      R"({"Item":{"pk":{"S":"a\nb c"}}})"
                                      "\n");
}

TEST_CASE("manifests count and sign every file") {
  Export made;
  std::vector<std::string> items;
  for (int i = 0; i < 10; ++i) items.push_back(R"({"pk":{"N":")" + std::to_string(i) + "\"}}");
  REQUIRE(made.write(items, {}, 60).ok());
  CHECK(made.files().size() == 4);
  std::uint64_t listed = 0;
  std::string all;
  for (const ListedFile& file : made.files()) {
    listed += file.items;
    all += made.data(file);
    CHECK(static_cast<std::uint64_t>(std::ranges::count(made.data(file), '\n')) == file.items);
    CHECK(file.md5 == md5_text(made.all().at(file.key)));
    CHECK(std::regex_match(file.etag, std::regex("[0-9a-f]{32}-1")));
  }
  CHECK(listed == 10);
  std::string expected;
  for (const std::string& item : items) expected += R"({"Item":)" + item + "}\n";
  CHECK(all == expected);
  CHECK(read_summary(made.object(summary_name)).value().items == 10);
  CHECK(made.object(summary_digest_name) == md5_text(made.object(summary_name)));
  CHECK(made.object(files_digest_name) == md5_text(made.object(files_name)));
}

TEST_CASE("an export without items has an empty file") {
  Export made;
  REQUIRE(made.write({}).ok());
  REQUIRE(made.files().size() == 1);
  CHECK(made.files()[0].items == 0);
  CHECK(made.data(made.files()[0]).empty());
}

TEST_CASE("a prefix is part of every key, joined by one slash") {
  for (const char* const prefix : {"p", "p/"}) {
    Export made;
    REQUIRE(made.write({}, prefix).ok());
    for (const auto& [key, bytes] : made.all()) CHECK(key.starts_with("p/AWSDynamoDB/0160"));
    CHECK(made.files()[0].key.starts_with("p/AWSDynamoDB/"));
    CHECK(made.object(summary_name).find(R"("s3Prefix":")" + std::string(prefix) + "\"") !=
          std::string::npos);
  }
}

TEST_CASE("an export that fails anywhere has no summary") {
  for (int most = 0; most < 6; ++most) {
    Export made(most);
    const auto written = made.write({R"({"pk":{"S":"a"}})"});
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().kind == objects::ErrorKind::access_denied);
    for (const auto& [key, bytes] : made.all()) CHECK_FALSE(key.ends_with(summary_name));
  }
  Export made(6);
  CHECK(made.write({R"({"pk":{"S":"a"}})"}).ok());
}

}  // namespace
}  // namespace dinette::dynamodb::item_files::export_writer_test
