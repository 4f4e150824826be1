#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "keyspaces/fixture.h"

// docs/service-keyspaces/control-plane.md sections 4 and 5
namespace test::keyspaces::streams_test {
namespace {

using namespace std::chrono_literals;

std::string stream_of(Keyspaces& k, const std::string& table) {
  return k.ok("GetTable", {{"keyspaceName", "ks"}, {"tableName", table}}).at("latestStreamArn");
}

std::string iterator(Keyspaces& k, const std::string& stream,
                     const Json& more = {{"shardIteratorType", "TRIM_HORIZON"}}) {
  const Json shard = k.ok("GetStream", {{"streamArn", stream}}).at("shards").at(0);
  Json request = {{"streamArn", stream}, {"shardId", shard.at("shardId")}};
  request.update(more);
  return k.ok("GetShardIterator", request).at("shardIterator");
}

Json records(Keyspaces& k, const std::string& table) {
  return k.ok("GetRecords", {{"shardIterator", iterator(k, stream_of(k, table))}}).at("changeRecords");
}

Json value_of(const Json& cells, const std::string& column) {
  return cells.at(column).at("value");
}

}  // namespace

TEST_CASE("each changed row has one record, with its images") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int, c text, v int, PRIMARY KEY (p, c)) WITH cdc = true");
  k.session().ok("INSERT INTO t (p, c, v) VALUES (1, 'a', 2) USING TIMESTAMP 1795220211000001");
  k.session().ok("UPDATE t USING TIMESTAMP 1795220211000002 SET v = 3 WHERE p = 1 AND c = 'a'");
  k.session().ok("DELETE FROM t USING TIMESTAMP 1795220211000003 WHERE p = 1 AND c = 'a'");
  k.session().ok("DELETE FROM t WHERE p = 9 AND c = 'none'");
  const Json all = records(k, "t");
  REQUIRE(all.size() == 3);
  const Json& insert = all.at(0);
  CHECK(insert.at("origin") == "USER");
  CHECK(insert.at("partitionKeys") == Json({{"p", {{"intT", "1"}}}}));
  CHECK(insert.at("clusteringKeys") == Json({{"c", {{"textT", "a"}}}}));
  CHECK_FALSE(insert.contains("oldImage"));
  CHECK(insert.at("newImage").at("valueCells") ==
        Json({{"v", {{"value", {{"intT", "2"}}}, {"metadata", {{"writeTime", "1795220211000001"}}}}}}));
  CHECK(insert.at("newImage").at("rowMetadata").at("writeTime") == "1795220211000001");
  CHECK(value_of(all.at(1).at("oldImage").at("valueCells"), "v") == Json({{"intT", "2"}}));
  CHECK(value_of(all.at(1).at("newImage").at("valueCells"), "v") == Json({{"intT", "3"}}));
  CHECK(value_of(all.at(2).at("oldImage").at("valueCells"), "v") == Json({{"intT", "3"}}));
  CHECK_FALSE(all.at(2).contains("newImage"));
  CHECK(all.at(0).at("sequenceNumber") < all.at(1).at("sequenceNumber"));
}

TEST_CASE("static cells have records of their own") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int, c int, s int static, v int, PRIMARY KEY (p, c)) WITH cdc = true");
  k.session().ok("INSERT INTO t (p, c, s, v) VALUES (1, 2, 3, 4)");
  const Json all = records(k, "t");
  REQUIRE(all.size() == 2);
  const bool row_first = all.at(0).contains("clusteringKeys");
  const Json& statics = all.at(row_first ? 1 : 0);
  CHECK_FALSE(statics.contains("clusteringKeys"));
  CHECK(value_of(statics.at("newImage").at("staticCells"), "s") == Json({{"intT", "3"}}));
  CHECK(statics.at("newImage").at("valueCells").empty());
}

TEST_CASE("values of all shapes are those of the model") {
  Keyspaces k;
  k.session().ok("CREATE TYPE u (a int, b text)");
  k.session().ok(
      "CREATE TABLE t (p blob PRIMARY KEY, l frozen<list<int>>, m map<text, boolean>, s set<int>, "
      "tt tuple<int, text>, uu frozen<u>, d duration) WITH cdc = true");
  k.session().ok(
      "INSERT INTO t (p, l, m, s, tt, uu, d) VALUES (0x01, [1], {'k': true}, {7}, (1, null), "
      "{a: 5}, 1h)");
  const Json record = records(k, "t").at(0);
  CHECK(record.at("partitionKeys").at("p") == Json({{"blobT", "AQ=="}}));
  const Json& cells = record.at("newImage").at("valueCells");
  CHECK(value_of(cells, "l") == Json::parse(R"({"listT": [{"value": {"intT": "1"}}]})"));
  CHECK(value_of(cells, "tt") == Json::parse(R"({"tupleT": [{"value": {"intT": "1"}}, {}]})"));
  CHECK(value_of(cells, "uu").at("udtT").at("a") == Json::parse(R"({"value": {"intT": "5"}})"));
  CHECK(value_of(cells, "d") == Json({{"durationT", "1h"}}));
  const Json entry = value_of(cells, "m").at("mapT").at(0);
  CHECK(entry.at("key") == Json({{"textT", "k"}}));
  CHECK(entry.at("value") == Json({{"boolT", true}}));
  CHECK(entry.at("metadata").contains("writeTime"));
  CHECK(value_of(cells, "s").at("setT").at(0).at("value") == Json({{"intT", "7"}}));
}

TEST_CASE("the view of a stream decides which images its records have") {
  for (const std::string view : {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE"}) {
    Keyspaces k;
    k.session().ok(
        "CREATE TABLE t (p int PRIMARY KEY, v int) WITH cdc = true AND custom_properties = "
        "{'cdc_specification': {'view_type': '" +
        view + "'}}");
    k.session().ok("INSERT INTO t (p, v) VALUES (1, 1)");
    k.session().ok("UPDATE t SET v = 2 WHERE p = 1");
    const Json record = records(k, "t").at(1);
    CHECK(record.contains("newImage") == (view == "NEW_IMAGE"));
    CHECK(record.contains("oldImage") == (view == "OLD_IMAGE"));
  }
}

TEST_CASE("expiry makes a record with the origin TTL, and records go after a day") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int PRIMARY KEY, v int) WITH cdc = true");
  k.session().ok("INSERT INTO t (p, v) VALUES (1, 1) USING TTL 60");
  k.session().advance(61s);
  const Json all = records(k, "t");
  REQUIRE(all.size() == 2);
  CHECK(all.at(1).at("origin") == "TTL");
  CHECK(value_of(all.at(1).at("oldImage").at("valueCells"), "v") == Json({{"intT", "1"}}));
  CHECK_FALSE(all.at(1).contains("newImage"));
  k.session().advance(24h);
  CHECK(records(k, "t").empty());
}

TEST_CASE("range deletions have one record per row, batches one per row") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c)) WITH cdc = true");
  k.session().ok(
      "BEGIN BATCH INSERT INTO t (p, c, v) VALUES (1, 1, 1); INSERT INTO t (p, c, v) VALUES (1, 2, 2) "
      "APPLY BATCH");
  k.session().ok("DELETE FROM t WHERE p = 1");
  CHECK(records(k, "t").size() == 4);
}

TEST_CASE("a stream that was ended is readable for a day, and a new one has another label") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int PRIMARY KEY) WITH cdc = true");
  k.session().ok("INSERT INTO t (p) VALUES (1)");
  const std::string first = stream_of(k, "t");
  k.ok("UpdateTable",
       {{"keyspaceName", "ks"}, {"tableName", "t"}, {"cdcSpecification", {{"status", "DISABLED"}}}});
  k.session().ok("INSERT INTO t (p) VALUES (2)");
  CHECK(k.ok("GetStream", {{"streamArn", first}}).at("streamStatus") == "DISABLED");
  const Json page = k.ok("GetRecords", {{"shardIterator", iterator(k, first)}});
  CHECK(page.at("changeRecords").size() == 1);
  CHECK_FALSE(page.contains("nextShardIterator"));
  k.session().advance(1s);
  k.session().ok("ALTER TABLE t WITH cdc = true");
  CHECK(stream_of(k, "t") != first);
  CHECK(k.ok("ListStreams", {{"keyspaceName", "ks"}}).at("streams").size() == 2);
  k.session().advance(24h);
  CHECK(k.ok("ListStreams", {{"keyspaceName", "ks"}}).at("streams").size() == 1);
  CHECK(k.refusal("GetStream", {{"streamArn", first}}).starts_with("ResourceNotFoundException"));
}

TEST_CASE("iterators begin at sequence numbers and at the end, and expire") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int PRIMARY KEY) WITH cdc = true");
  for (int p = 0; p < 5; ++p) k.session().ok("INSERT INTO t (p) VALUES (" + std::to_string(p) + ")");
  const std::string stream = stream_of(k, "t");
  const Json all = records(k, "t");
  const auto count_from = [&](const Json& more) {
    return k.ok("GetRecords", {{"shardIterator", iterator(k, stream, more)}}).at("changeRecords").size();
  };
  const std::string third = all.at(2).at("sequenceNumber");
  CHECK(count_from({{"shardIteratorType", "AT_SEQUENCE_NUMBER"}, {"sequenceNumber", third}}) == 3);
  CHECK(count_from({{"shardIteratorType", "AFTER_SEQUENCE_NUMBER"}, {"sequenceNumber", third}}) == 2);
  CHECK(count_from({{"shardIteratorType", "LATEST"}}) == 0);
  const std::string old = iterator(k, stream);
  const Json page = k.ok("GetRecords", {{"shardIterator", old}, {"maxResults", 2}});
  CHECK(page.at("iteratorDescription").at("iteratorPosition") == "BEHIND_TIP");
  CHECK(k.ok("GetRecords", {{"shardIterator", page.at("nextShardIterator")}}).at("changeRecords").size() ==
        3);
  k.session().advance(16min);
  const Json error = k.call("GetRecords", Json({{"shardIterator", old}}).dump()).json();
  CHECK(error.at("__type") == "ValidationException");
  CHECK(error.at("errorCode") == "ExpiredIterator");
}

TEST_CASE("a page has a hundred records, and its end says whether there are more") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int PRIMARY KEY) WITH cdc = true");
  for (int p = 0; p < 101; ++p) k.session().ok("INSERT INTO t (p) VALUES (" + std::to_string(p) + ")");
  const Json page = k.ok("GetRecords", {{"shardIterator", iterator(k, stream_of(k, "t"))}});
  CHECK(page.at("changeRecords").size() == 100);
  CHECK(page.at("iteratorDescription").at("iteratorPosition") == "BEHIND_TIP");
  const Json last = k.ok("GetRecords", {{"shardIterator", page.at("nextShardIterator")}});
  CHECK(last.at("changeRecords").size() == 1);
  CHECK(last.at("iteratorDescription").at("iteratorPosition") == "AT_TIP");
}

}  // namespace test::keyspaces::streams_test
