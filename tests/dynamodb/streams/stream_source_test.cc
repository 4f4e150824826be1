#include "dinette/dynamodb/stream_source.h"

#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"

// docs/service/triggers.md sections 2 and 6.1.
namespace test::stream_source_test {
namespace {

using namespace std::chrono_literals;
using namespace dinette::deliveries;

std::unique_ptr<StreamSource> source_of(DynamoDb& db, const std::string& arn) {
  return dinette::dynamodb::open_stream_source(*db.worlds().pick("").value(), "", arn).value();
}

/// The table `Music` with a stream, and its source.
struct Bench {
  explicit Bench(std::string_view view_type = "NEW_AND_OLD_IMAGES") {
    db.ok("CreateTable", with_stream(view_type));
    arn = stream_arn(db);
    source = source_of(db, arn);
  }

  std::string first_shard() { return source->shards().value()->front().id; }
  RecordPage read(const std::string& shard, const std::string& after = "", std::size_t most = 1000) {
    return source->read(shard, after, most, 1 << 20).value();
  }

  DynamoDb db;
  std::string arn;
  std::unique_ptr<StreamSource> source;
};

}  // namespace

TEST_CASE("a record of a table's stream as functions get it: all members in their order") {
  Bench bench;
  bench.db.clock().advance(1999ms);
  put(bench.db, "a", R"("n": {"N": "1.50"}, "b": {"B": "AAE="})");
  const RecordPage page = bench.read(bench.first_shard());
  REQUIRE(page.records.size() == 1);
  CHECK(page.at_end);
  CHECK_FALSE(page.closed);
  const Record& record = page.records.front();
  const std::string id = Json::parse(record.payload).at("eventID");
  CHECK(
      record.payload ==
      R"({"eventID":")" + id +
          R"(","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"us-east-1",)"
          R"("dynamodb":{"ApproximateCreationDateTime":1.791633601E9,"Keys":{"pk":{"S":"a"}},)"
          R"("NewImage":{"b":{"B":"AAE="},"n":{"N":"1.5"},"pk":{"S":"a"}},)"
          R"("SequenceNumber":")" +
          record.number +
          R"(","SizeBytes":13,)"
          R"("StreamViewType":"NEW_AND_OLD_IMAGES"},"eventSourceARN":")" +
          bench.arn + R"("})");
  CHECK(record.key == R"({"pk":{"S":"a"}})");
  CHECK(record.moment == bench.db.clock().now());
}

TEST_CASE("seconds that end with zeros are printed as Java prints them") {
  Bench bench;
  bench.db.clock().set(dinette::base::TimePoint(1'800'000'000s));
  put(bench.db, "a");
  const RecordPage page = bench.read(bench.first_shard());
  CHECK(page.records.front().payload.find(R"("ApproximateCreationDateTime":1.8E9,)") != std::string::npos);
}

TEST_CASE("functions get the images that the stream has") {
  Bench bench("KEYS_ONLY");
  put(bench.db, "a");
  remove(bench.db, "a");
  const RecordPage page = bench.read(bench.first_shard());
  REQUIRE(page.records.size() == 2);
  const Json event = Json::parse(page.records.back().payload);
  CHECK(event.at("eventName") == "REMOVE");
  CHECK(event.at("dynamodb").contains("Keys"));
  CHECK_FALSE(event.at("dynamodb").contains("OldImage"));
}

TEST_CASE("an expired item names the service in lower case") {
  Bench bench;
  bench.db.ok(
      "UpdateTimeToLive",
      {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "end"}}}});
  put(bench.db, "a", R"("end": {"N": "1791633700"})");
  bench.db.clock().advance(200s);
  bench.db.jobs().run_due();
  std::vector<Json> events;
  const auto shards = *bench.source->shards().value();
  for (const Shard& shard : shards) {
    for (const Record& record : bench.read(shard.id).records) events.push_back(Json::parse(record.payload));
  }
  REQUIRE_FALSE(events.empty());
  CHECK(events.back().at("eventName") == "REMOVE");
  CHECK(events.back().at("userIdentity") ==
        Json({{"type", "Service"}, {"principalId", "dynamodb.amazonaws.com"}}));
}

TEST_CASE("reading goes on after a record") {
  Bench bench;
  for (const char* key : {"a", "b", "c"}) put(bench.db, key);
  const std::string shard = bench.first_shard();
  const RecordPage first = bench.read(shard, "", 2);
  REQUIRE(first.records.size() == 2);
  CHECK_FALSE(first.at_end);
  CHECK(is_before(first.records[0].number, first.records[1].number));
  const RecordPage rest = bench.read(shard, first.records.back().number, 2);
  REQUIRE(rest.records.size() == 1);
  CHECK(rest.records.front().key == R"({"pk":{"S":"c"}})");
  CHECK(bench.read(shard, rest.records.back().number).records.empty());
}

TEST_CASE("a page ends with the record that fills its bytes") {
  Bench bench;
  for (const char* key : {"a", "b", "c"}) put(bench.db, key);
  const std::string shard = bench.first_shard();
  CHECK(bench.source->read(shard, "", 1000, 1).value().records.size() == 1);
  CHECK(bench.source->read(shard, "", 1000, 600).value().records.size() == 2);
}

TEST_CASE("the latest place is after all records that there are") {
  Bench bench;
  const std::string shard = bench.first_shard();
  CHECK(bench.source->place_of(shard, StartingPosition::latest, {}).value().empty());
  put(bench.db, "a");
  const std::string place = bench.source->place_of(shard, StartingPosition::latest, {}).value();
  CHECK(bench.read(shard, place).records.empty());
  put(bench.db, "b");
  CHECK(bench.read(shard, place).records.size() == 1);
  CHECK(bench.source->place_of(shard, StartingPosition::trim_horizon, {}).value().empty());
}

TEST_CASE("the children of a closed shard name it as their parent") {
  Bench bench;
  put(bench.db, "a");
  bench.db.clock().advance(5h);
  bench.db.jobs().run_due();
  const auto shards = *bench.source->shards().value();
  REQUIRE(shards.size() == 2);
  CHECK(shards[1].parents == std::vector<std::string>{shards[0].id});
  CHECK(bench.read(shards[0].id).closed);
  CHECK_FALSE(bench.read(shards[1].id).closed);
}

TEST_CASE("a record that was read is removed a day after it was written") {
  Bench bench;
  put(bench.db, "a");
  const std::string shard = bench.first_shard();
  const Record record = bench.read(shard).records.front();
  bench.db.clock().advance(23h);
  bench.db.jobs().run_due();
  CHECK_FALSE(bench.source->is_removed(shard, record).value());
  bench.db.clock().advance(2h);
  bench.db.jobs().run_due();
  CHECK(bench.source->is_removed(shard, record).value());
}

TEST_CASE("a stream belongs to one table, also after another one got its name") {
  Bench bench;
  put(bench.db, "a");
  bench.db.ok("DeleteTable", {{"TableName", "Music"}});
  bench.db.clock().advance(1s);
  bench.db.jobs().run_due();
  bench.db.ok("CreateTable", with_stream());
  put(bench.db, "b");
  const RecordPage page = bench.read(bench.first_shard());
  CHECK(page.closed);
  REQUIRE(page.records.size() == 1);
  CHECK(page.records.front().key == R"({"pk":{"S":"a"}})");
}

TEST_CASE("a stream that is gone has no shards, and what is left of it is closed") {
  Bench bench;
  const std::string shard = bench.first_shard();
  bench.db.ok("DeleteTable", {{"TableName", "Music"}});
  bench.db.clock().advance(25h);
  bench.db.jobs().run_due();
  CHECK_FALSE(bench.source->shards().value());
  CHECK(bench.read(shard).closed);
  CHECK(source_of(bench.db, bench.arn) == nullptr);
}

TEST_CASE("there is no source of what is no stream of this account") {
  Bench bench;
  for (const std::string& other :
       {std::string("x"), bench.arn + "1",
        std::string("arn:aws:dynamodb:us-east-1:999999999999:table/Music/stream/") +
            bench.arn.substr(bench.arn.rfind('/') + 1)})
    CHECK(source_of(bench.db, other) == nullptr);
}

}  // namespace test::stream_source_test
