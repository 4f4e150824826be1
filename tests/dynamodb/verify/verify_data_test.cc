#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/verify.h"

#include "store/keys.h"
#include "support/dynamodb.h"

// What `dinette check` finds: each test damages one thing that the store keeps.
namespace test::verify_data_test {

using dinette::store::Area;
using dinette::store::EngineKey;
namespace kv = dinette::kv;

namespace {

constexpr std::uint8_t face = 1;
constexpr dinette::store::IndexId local_index = 1;
constexpr dinette::store::IndexId global_index = 2;

const Json music_table = Json::parse(R"({
  "TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
                           {"AttributeName": "year", "AttributeType": "N"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
  "LocalSecondaryIndexes": [{"IndexName": "by-year-here", "Projection": {"ProjectionType": "ALL"},
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "year", "KeyType": "RANGE"}]}],
  "GlobalSecondaryIndexes": [{"IndexName": "by-year", "Projection": {"ProjectionType": "KEYS_ONLY"},
    "KeySchema": [{"AttributeName": "year", "KeyType": "HASH"}]}],
  "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}})");

/// A table with everything that a table may have, and two items in it, of which the second is in no index.
struct Damaged {
  DynamoDb db;
  dinette::store::TableId music = 0;

  Damaged() {
    db.leave_damage();
    db.ok("CreateTable", music_table);
    music = db.worlds().pick("").value()->store(face).catalog().open("Music").value()->id;
    db.ok("UpdateTimeToLive", {{"TableName", "Music"},
                               {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "until"}}}});
    db.jobs().run_due();
    db.put("Music", {{"pk", {{"S", "a"}}},
                     {"sk", {{"N", "1"}}},
                     {"year", {{"N", "1965"}}},
                     {"until", {{"N", "4000000000"}}}});
    db.put("Music", {{"pk", {{"S", "b"}}}, {"sk", {{"N", "2"}}}});
  }

  std::vector<std::string> faults() {
    std::vector<std::string> found;
    const auto report = [&](std::string fault) { found.push_back(std::move(fault)); };
    REQUIRE(dinette::dynamodb::verify_data(*db.worlds().pick("").value(), report, [](const auto&) {}).ok());
    return found;
  }

  struct Found {
    std::string key;
    kv::Value value;
  };
  /// The first key with this prefix, and its value.
  std::optional<Found> find(const EngineKey& prefix) {
    const auto cursor = db.engine().snapshot().value()->cursor({prefix.view(), {}}).value();
    if (!cursor->first().value() || !cursor->key().starts_with(prefix.view())) return std::nullopt;
    return Found{std::string(cursor->key()), kv::Value(cursor->value())};
  }
  Found first(const EngineKey& prefix) {
    const auto found = find(prefix);
    REQUIRE(found);
    return *found;
  }
  Found first_record(const Json& shards) {
    std::optional<Found> found;
    for (const Json& shard : shards) {
      const dinette::store::StreamId stream{shard["StreamId"].get<std::uint64_t>()};
      if (!found) found = find(EngineKey::stream(face, stream));
    }
    REQUIRE(found);
    return *found;
  }
  Found first(Area area) { return first(EngineKey::area({face, {}}, music, area)); }

  void write(const std::function<void(kv::WriteBatch&)>& change) {
    kv::WriteBatch batch;
    change(batch);
    REQUIRE(db.engine().write(batch).ok());
  }
  void erase(const std::string& key) {
    write([&](kv::WriteBatch& batch) { batch.erase(key); });
  }
  void put(const std::string& key, std::string_view value) {
    write([&](kv::WriteBatch& batch) { batch.put(key, kv::Value(value)); });
  }
  void add(const EngineKey& counters, std::int64_t rows, std::int64_t bytes) {
    write([&](kv::WriteBatch& batch) { batch.add(counters.view(), {rows, bytes}); });
  }
  std::string row_of_a() {
    const auto prefix = EngineKey::area({face, {}}, music, Area::rows());
    const auto cursor = db.engine().snapshot().value()->cursor({prefix.view(), {}}).value();
    REQUIRE(cursor->first().value());
    while (cursor->value().find("1965") == std::string_view::npos) REQUIRE(cursor->next().value());
    return std::string(cursor->key());
  }
};

using Faults = std::vector<std::string>;

}  // namespace

TEST_CASE("data that writes have made are without fault, and all of them are read") {
  Damaged db;
  CHECK(db.faults() == Faults{});
  const auto checked = dinette::dynamodb::verify_data(
      *db.db.worlds().pick("").value(), [](const std::string&) {}, [](const auto&) {});
  CHECK(checked->tables == 1);
  CHECK(checked->items == 2);
  CHECK(checked->index_entries == 2);
  CHECK(checked->stream_records == 2);
}

TEST_CASE("an item without its entry in an index") {
  Damaged db;
  db.erase(db.first(Area::of_index(global_index)).key);
  CHECK(db.faults() ==
        Faults{"the item pk = 'a' AND sk = 1 of Music has no entry in the index by-year of Music",
               "the number of entries of the index by-year of Music: 1 counted, 0 found",
               "the bytes of the index by-year of Music: 14 counted, 0 found"});
}

TEST_CASE("an entry of an index that says something else than its item") {
  Damaged db;
  const auto entry = db.first(Area::of_index(global_index));
  std::string other(entry.value.view());
  other[other.find("\"a\"") + 1] = 'b';
  db.put(entry.key, other);
  CHECK(db.faults() == Faults{"the item pk = 'a' AND sk = 1 of Music has another entry in the index by-year "
                              "of Music than it should"});
}

TEST_CASE("an entry of an index without its item") {
  Damaged db;
  const auto entry = db.first(Area::of_index(local_index));
  db.put(entry.key + "x", entry.value.view());
  db.add(EngineKey::counters(face, db.music, local_index), 1, 21);
  CHECK(db.faults() == Faults{"the index by-year-here of Music has entries that belong to no item: 1"});
}

TEST_CASE("entries of an index that was deleted") {
  Damaged db;
  db.db.ok("UpdateTable", {{"TableName", "Music"},
                           {"GlobalSecondaryIndexUpdates", {{{"Delete", {{"IndexName", "by-year"}}}}}}});
  db.db.jobs().run_due();
  CHECK(db.faults() == Faults{});
  const auto key = EngineKey::area({face, {}}, db.music, Area::of_index(global_index));
  db.put(std::string(key.view()) + "x", "x");
  CHECK(db.faults() == Faults{"there are entries of a deleted index of Music"});
}

TEST_CASE("counters of a table and of an index that are wrong") {
  Damaged db;
  db.add(EngineKey::counters(face, db.music, 0), 1, 10);
  db.add(EngineKey::counters(face, db.music, local_index), -1, 0);
  CHECK(db.faults() ==
        Faults{"the number of items of the table Music: 3 counted, 2 found",
               "the bytes of the table Music: 38 counted, 28 found",
               "the number of entries of the index by-year-here of Music: 0 counted, 1 found"});
}

TEST_CASE("bytes of item collections that are wrong, of none, and missing") {
  Damaged db;
  const auto partition = db.first(EngineKey::partition_bytes(face, db.music, ""));
  std::string more(partition.value.view());
  ++more.back();
  db.put(partition.key, more);
  const auto faults = db.faults();
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].starts_with("the bytes of an item collection of Music: "));
  db.erase(partition.key);
  CHECK(db.faults().size() == 1);
  CHECK(db.faults()[0].find(": 0 counted, ") != std::string::npos);
  db.put(partition.key, partition.value.view());
  db.put(partition.key + "x", partition.value.view());
  CHECK(db.faults().size() == 1);
  CHECK(db.faults()[0].ends_with(" counted, 0 found"));
}

TEST_CASE("an item whose record is corrupt") {
  Damaged db;
  const std::string key = db.row_of_a();
  db.put(key, "not a record");
  const auto faults = db.faults();
  CHECK(std::ranges::count(faults, "an item of Music cannot be read: its record is corrupt") == 1);
}

TEST_CASE("an item whose record is not what a write makes of it") {
  Damaged db;
  const std::string key = db.row_of_a();
  std::string record(db.db.engine().get(key).value()->view());
  ++record.front();  // its size
  db.put(key, record);
  const auto faults = db.faults();
  CHECK(std::ranges::count(faults,
                           "the item pk = 'a' AND sk = 1 of Music is not kept as it would be written") == 1);
}

TEST_CASE("an item at the key of another one") {
  Damaged db;
  const std::string key = db.row_of_a();
  const kv::Value record = *db.db.engine().get(key).value();
  db.put(key + "x", record.view());
  db.erase(key);
  const auto faults = db.faults();
  CHECK(std::ranges::count(faults, "the item pk = 'a' AND sk = 1 of Music is not where its key says") == 1);
}

TEST_CASE("entries of the time to live that are missing, or of no item") {
  Damaged db;
  const auto entry = db.first(Area::expiry());
  db.put(entry.key + "x", "");
  CHECK(db.faults() == Faults{"there are entries of Music that make items expire and belong to none: 1"});
  db.erase(entry.key + "x");
  db.erase(entry.key);
  CHECK(
      db.faults() ==
      Faults{"the item pk = 'a' AND sk = 1 of Music has a time to live, but no entry that makes it expire"});
}

TEST_CASE("a record of a stream, and the stream's entry, that cannot be read") {
  Damaged db;
  const auto stream = EngineKey::space({face, {}}, dinette::store::SpaceId{3});
  const auto entry = db.first(stream);
  const auto record = db.first_record(Json::parse(entry.value.view())["Shards"]);
  db.put(record.key, record.value.view().substr(0, 30));
  auto faults = db.faults();
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].starts_with("a record of the shard shardId-"));
  CHECK(faults[0].ends_with(" cannot be read"));
  db.put(record.key, record.value.view());
  for (const char* damaged : {"{}", "x"}) {
    db.put(entry.key, damaged);
    faults = db.faults();
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].starts_with("the stream Music/stream/"));
  }
}

TEST_CASE("a table whose stamp or name record is lost, and keys of no table") {
  Damaged db;
  const std::string stamp(EngineKey::stamp(face, db.music).view());
  const kv::Value version = *db.db.engine().get(stamp).value();
  db.erase(stamp);
  CHECK(db.faults() ==
        Faults{"the stamp of table number " + std::to_string(db.music) + " is not that of its name record"});
  db.put(stamp, version.view());
  db.put(std::string(EngineKey::stamp(face, 17).view()), version.view());
  CHECK(db.faults() == Faults{"there are keys of table number 17, which does not exist"});
  db.put(std::string(EngineKey::name({face, {}}, "Broken").view()), "x");
  CHECK(std::ranges::any_of(db.faults(), [](const std::string& fault) {
    return fault.starts_with("the name record of ") && fault.ends_with(" cannot be read");
  }));
}

TEST_CASE("while an index is being filled, items need not have their entries yet") {
  DynamoDb db;
  db.create_table("Music");
  for (const char* key : {"a", "b"}) db.put("Music", {{"pk", {{"S", key}}}, {"g", {{"S", key}}}});
  db.ok("UpdateTable", Json::parse(R"({"TableName": "Music",
    "AttributeDefinitions": [{"AttributeName": "g", "AttributeType": "S"}],
    "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "by-g", "Projection": {"ProjectionType": "ALL"},
      "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}]}}]})"));
  db.put("Music", {{"pk", {{"S", "b"}}}, {"g", {{"S", "c"}}}});
  // The fixture checks what there is now, at its end.
}

}  // namespace test::verify_data_test
