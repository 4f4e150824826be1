#include <catch2/catch.hpp>

#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/streams.h"

// How streams change with time: docs/service/streams.md sections 1, 3 and 7.
namespace test::upkeep_test {

using namespace std::chrono_literals;

namespace {

bool split(DynamoDb& db) {
  auto& store = db.worlds().pick("").value()->store(dinette::dynamodb::face().id);
  const auto table = store.catalog().open("Music").value();
  return dinette::dynamodb::split_shards(store, *table).value();
}

/// What readers rely on: of an enabled stream no open shard has a child, and no closed one is without.
void check_lineage(DynamoDb& db, const std::string& arn) {
  const Json listed = shards(db, arn);
  for (const Json& shard : listed) {
    const bool open = !shard.at("SequenceNumberRange").contains("EndingSequenceNumber");
    const bool parent = std::any_of(listed.begin(), listed.end(), [&](const Json& other) {
      return shard.at("ShardId") == other.value("ParentShardId", "");
    });
    CHECK(open != parent);
  }
}

constexpr int batch_size = 25;

/// A request that puts so many items, each with this value.
std::string batch_of(std::string_view value) {
  Json requests = Json::array();
  for (int i = 0; i < batch_size; ++i) {
    const Json item = {{"pk", {{"S", std::to_string(i)}}}, {"value", {{"S", value}}}};
    requests.push_back({{"PutRequest", {{"Item", item}}}});
  }
  return Json({{"RequestItems", {{"Music", requests}}}}).dump();
}

/// The number of entries of the store, of tables or not.
std::size_t entries(DynamoDb& db) {
  std::size_t count = 0;
  const auto snapshot = db.engine().snapshot().value();
  const auto cursor = snapshot->cursor({}).value();
  for (bool more = cursor->first().value(); more; more = cursor->next().value()) ++count;
  return count;
}

}  // namespace

TEST_CASE("stream upkeep: shards that are split have two children each, and order is kept") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 20; ++i)
      put(db, std::to_string(i), R"("n": {"N": ")" + std::to_string(round) + "\"}");
    REQUIRE(split(db));
    check_lineage(db, arn);
  }
  CHECK(shards(db, arn).size() == 1 + 2 + 4 + 8 + 16);
  std::map<std::string, std::string> order;
  for (const Json& record : records(db, arn)) {
    const Json& content = record.at("dynamodb");
    order[content.at("Keys").at("pk").at("S")] += content.at("NewImage").at("n").at("N").get<std::string>();
  }
  CHECK(order.size() == 20);
  for (const auto& [pk, rounds] : order) CHECK(rounds == "0123");
}

TEST_CASE("stream upkeep: a busy shard is followed by two", "[volume]") {
  DynamoDb db;
  db.ok("CreateTable", with_stream("KEYS_ONLY"));
  const std::string arn = stream_arn(db);
  const std::string batches[] = {batch_of("x"), batch_of("y")};
  std::size_t sent = 0;
  const auto children_after = [&](int records) {
    for (int i = 0; i < records; i += batch_size) db.call("BatchWriteItem", batches[++sent % 2]);
    const std::size_t before = shards(db, arn).size();
    db.clock().advance(4h);
    db.jobs().run_due();
    check_lineage(db, arn);
    return shards(db, arn).size() - before;
  };
  CHECK(children_after(100'000 - batch_size) == 1);
  CHECK(children_after(100'000) == 2);
}

TEST_CASE("stream upkeep: there are never more than 64 open shards") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const std::string arn = stream_arn(db);
  for (int round = 0; round < 10; ++round) REQUIRE(split(db));
  std::size_t open = 0;
  const Json listed = shards(db, arn);
  for (const Json& shard : listed)
    open += shard.at("SequenceNumberRange").contains("EndingSequenceNumber") ? 0 : 1;
  CHECK(open == 64);
  // Without a limit a page has 100 shards.
  const Json first = describe_stream(db, arn);
  CHECK(first.at("Shards").size() == 100);
  CHECK(first.at("LastEvaluatedShardId") == first.at("Shards").back().at("ShardId"));
}

TEST_CASE("stream upkeep: a table without a stream has nothing to split") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  CHECK_FALSE(split(db));
  db.ok("UpdateTable", with({{"TableName", "Music"}}, stream_setting(true, "KEYS_ONLY")));
  db.ok("UpdateTable", with({{"TableName", "Music"}}, stream_setting(false)));
  CHECK_FALSE(split(db));
}

TEST_CASE("stream upkeep: nothing is left of a stream whose time is over") {
  DynamoDb db;
  const std::size_t before = entries(db);
  db.ok("CreateTable", with(on_demand(), stream_setting(true, "NEW_IMAGE")));
  for (int day = 0; day < 3; ++day) {
    for (int hour = 0; hour < 24; hour += 2) {
      put(db, std::to_string(hour));
      db.clock().advance(2h);
      db.jobs().run_due();
      check_lineage(db, stream_arn(db));
    }
  }
  // 12 records a day, an entry of the stream, 7 generations of shards at most.
  CHECK(records(db, stream_arn(db)).size() <= 13);
  db.ok("DeleteTable", {{"TableName", "Music"}});
  db.clock().advance(24h);
  db.jobs().run_due();
  CHECK(db.ok("ListStreams", Json::object()).at("Streams").empty());
  // The last id that was given out, and, where servers share the engine, the version of the catalog.
  CHECK(entries(db) == before + (db.engine().capabilities().shared ? 2 : 1));
}

// docs/service/streams.md section 3: shards are closed after about four hours, busy or not, and listed until
// their records are older than 24 hours.
TEST_CASE("stream upkeep: a clock that moves over a century shows the shards of its last day") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  put(db, "old");
  const std::string arn = stream_arn(db);
  int stops = 0;
  const auto move = [&](std::chrono::hours by) {
    db.jobs().run_until(db.clock().now() + by, [&](dinette::base::TimePoint moment) {
      ++stops;
      db.clock().set(moment);
    });
  };
  move(876'000h);
  CHECK(stops <= 10);  // one per generation, and the end
  CHECK(shards(db, arn).size() == 7);
  check_lineage(db, arn);
  CHECK(records(db, arn).empty());
  put(db, "new");
  move(12h);
  CHECK(shards(db, arn).size() == 7);
  check_lineage(db, arn);
  CHECK(records(db, arn).size() == 1);
}

TEST_CASE("stream upkeep: what expires on the last day of a long move is in the stream") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.ok("UpdateTimeToLive",
        {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "end"}}}});
  const auto end = db.clock().now() + 876'000h;
  const auto put_until = [&](const std::string& pk, dinette::base::TimePoint moment) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(moment).time_since_epoch().count();
    put(db, pk, R"("end": {"N": ")" + std::to_string(seconds) + "\"}");
  };
  put_until("years before", end - 8'760h);
  put_until("two days before", end - 48h);
  put_until("an hour before", end - 1h);
  db.jobs().run_until(end, [&](dinette::base::TimePoint moment) { db.clock().set(moment); });
  const auto left = records(db, stream_arn(db));
  REQUIRE(left.size() == 1);
  CHECK(left[0].at("eventName") == "REMOVE");
  CHECK(left[0].at("dynamodb").at("Keys").at("pk").at("S") == "an hour before");
}

TEST_CASE("stream upkeep: streams of deleted tables have 4 MB together, and the oldest go first",
          "[volume]") {
  DynamoDb db;
  const std::string value(10'000, 'x');
  std::vector<std::string> arns;
  for (int table = 0; table < 3; ++table) {
    db.clock().advance(1s);
    db.ok("CreateTable", with_stream("NEW_IMAGE"));
    arns.push_back(stream_arn(db));
    for (int i = 0; i < 175; ++i) put(db, std::to_string(i), R"("v": {"S": ")" + value + "\"}");
    db.ok("DeleteTable", {{"TableName", "Music"}});
    db.jobs().run_due();
  }
  CHECK(db.call("DescribeStream", {{"StreamArn", arns[0]}}).error() == "ResourceNotFoundException");
  CHECK(records(db, arns[1]).size() == 175);
  CHECK(records(db, arns[2]).size() == 175);
  // Time goes on for those that are left.
  db.clock().advance(24h);
  db.jobs().run_due();
  CHECK(db.ok("ListStreams", Json::object()).at("Streams").empty());
}

TEST_CASE("stream upkeep: a stream that was disabled keeps all, for its table is still there", "[volume]") {
  DynamoDb db;
  db.ok("CreateTable", with_stream("NEW_IMAGE"));
  const std::string arn = stream_arn(db);
  const std::string value(100'000, 'x');
  for (int i = 0; i < 200; ++i) put(db, std::to_string(i), R"("v": {"S": ")" + value + "\"}");
  db.ok("UpdateTable", with({{"TableName", "Music"}}, stream_setting(false)));
  db.jobs().run_due();
  CHECK(records(db, arn).size() == 200);
}

TEST_CASE("stream upkeep: records are kept for the configured time") {
  dinette::dynamodb::ServiceOptions options;
  options.stream_retention = 1h;
  DynamoDb db(options);
  db.ok("CreateTable", with_stream());
  put(db, "a");
  db.clock().advance(59min);
  put(db, "b");
  db.jobs().run_due();
  CHECK(records(db, stream_arn(db)).size() == 2);
  db.clock().advance(2min);
  db.jobs().run_due();
  CHECK(records(db, stream_arn(db)).size() == 1);
  const std::string arn = stream_arn(db);
  db.clock().advance(5h);
  db.jobs().run_due();
  CHECK(records(db, arn).empty());
  check_lineage(db, arn);
  db.ok("DeleteTable", {{"TableName", "Music"}});
  db.clock().advance(1h);
  db.jobs().run_due();
  CHECK(db.ok("ListStreams", Json::object()).at("Streams").empty());
}

TEST_CASE("stream upkeep: records are counted while they are kept") {
  DynamoDb db;
  const auto kept = [&] { return db.worlds().pick("").value()->kept_history().value().stream_records; };
  CHECK(kept() == dinette::store::Count{});
  db.ok("CreateTable", with_stream("KEYS_ONLY"));
  put(db, "a");
  put(db, "b");
  CHECK(kept().rows == 2);
  CHECK(kept().bytes > 2);
  const auto two = kept().bytes;
  db.clock().advance(23h);
  put(db, "c");
  db.clock().advance(1h);
  db.jobs().run_due();
  CHECK(kept().rows == 1);
  CHECK(kept().bytes * 2 == two);
  db.clock().advance(48h);
  db.jobs().run_due();
  CHECK(kept() == dinette::store::Count{});
}

TEST_CASE("stream upkeep: many old records go in steps, and a whole one is never half gone") {
  DynamoDb db;
  db.ok("CreateTable", with_stream("KEYS_ONLY"));
  for (int i = 0; i < 10'000; ++i) put(db, std::to_string(i));
  db.clock().advance(24h);
  int steps = 0;
  while (db.jobs().run_step()) ++steps;
  CHECK(steps > 3);
  CHECK(records(db, stream_arn(db)).empty());
}

TEST_CASE("stream upkeep: a copy of a world looks after its own streams") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  put(db, "a");
  REQUIRE(db.worlds().fork("", "copy").ok());
  const auto copy = db.worlds().pick("copy").value();
  db.clock().advance(24h);
  copy->jobs().run_due();
  auto& store = copy->store(dinette::dynamodb::face().id);
  const auto table = store.catalog().open("Music").value();
  CHECK(table->version > 1);                       // its shard was replaced
  CHECK(records(db, stream_arn(db)).size() == 1);  // the original has not been looked after
  CHECK(shards(db, stream_arn(db)).size() == 1);
}

}  // namespace test::upkeep_test
