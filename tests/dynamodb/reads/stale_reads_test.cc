#include <cstdint>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"
#include "support/tables.h"

// docs/service/query-scan.md section 6. How late a read may be is an option of the server.
namespace test::stale_reads_test {

using namespace std::chrono_literals;

namespace {

Json with_index() {
  return with(on_demand(),
              {{"AttributeDefinitions", Json::array({attribute("pk", "S"), attribute("a", "S")})},
               {"GlobalSecondaryIndexes", Json::array({index_on("byA", Json::array({key("a", "HASH")}))})}});
}

Json item(int version) {
  return {{"pk", {{"S", "1"}}}, {"a", {{"S", "x"}}}, {"v", {{"N", std::to_string(version)}}}};
}

const Json get = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "1"}}}}}};

/// The versions of the item that a hundred BatchGetItems see.
std::set<int> batch_reads(DynamoDb& db, bool consistent) {
  const Json request = {
      {"RequestItems", {{"Music", {{"Keys", {get.at("Key")}}, {"ConsistentRead", consistent}}}}}};
  std::set<int> seen;
  for (int i = 0; i < 100; ++i) {
    const Json reply = db.ok("BatchGetItem", request);
    seen.insert(std::stoi(reply.at("Responses").at("Music").at(0).at("v").at("N").get<std::string>()));
  }
  return seen;
}

}  // namespace

TEST_CASE("a global index lags behind its table by as much as is configured, whole writes at a time") {
  dinette::dynamodb::ServiceOptions options;
  options.index_lag = 100ms;
  DynamoDb db(options);
  db.ok("CreateTable", with_index());
  const Json by_index = {{"TableName", "Music"}, {"IndexName", "byA"}};
  db.put("Music", item(1));
  CHECK(db.ok("Scan", by_index).at("Count") == 0);
  CHECK(db.ok("Scan", {{"TableName", "Music"}}).at("Count") == 1);
  CHECK(db.ok("GetItem", get).contains("Item"));
  db.clock().advance(99ms);
  CHECK(db.ok("Scan", by_index).at("Count") == 0);
  db.clock().advance(1ms);
  CHECK(db.ok("Scan", by_index).at("Items") == Json::array({item(1)}));
  db.put("Music", item(2));
  CHECK(db.ok("Scan", by_index).at("Items") == Json::array({item(1)}));
  db.clock().advance(100ms);
  CHECK(db.ok("Scan", by_index).at("Items") == Json::array({item(2)}));
}

TEST_CASE("an index that has just been filled is seen whole, however far reads lag behind") {
  dinette::dynamodb::ServiceOptions options;
  options.index_lag = 100ms;
  options.stale_reads = 100ms;
  DynamoDb db(options);
  db.ok("CreateTable", on_demand());
  for (int i = 0; i < 10; ++i) {
    db.put("Music", with(item(i), {{"pk", {{"S", std::to_string(i)}}}}));
    db.clock().advance(30ms);
  }
  db.ok("UpdateTable", {{"TableName", "Music"},
                        {"AttributeDefinitions", Json::array({attribute("a", "S")})},
                        {"GlobalSecondaryIndexUpdates",
                         Json::array({{{"Create", index_on("byA", Json::array({key("a", "HASH")}))}}})}});
  db.jobs().run_due();
  CHECK(db.ok("Scan", {{"TableName", "Music"}, {"IndexName", "byA"}}).at("Count") == 10);
}

TEST_CASE("Query and Scan of a table are as stale as they may be") {
  dinette::dynamodb::ServiceOptions options;
  options.stale_reads = 160ms;
  DynamoDb db(options);
  db.ok("CreateTable", with_index());
  db.put("Music", item(1));
  db.clock().advance(80ms);
  const Json query = {{"TableName", "Music"},
                      {"KeyConditionExpression", "pk = :p"},
                      {"ExpressionAttributeValues", {{":p", {{"S", "1"}}}}}};
  const auto seen = [&](std::string_view operation, const Json& request) {
    std::set<int> counts;
    for (int i = 0; i < 200; ++i) counts.insert(db.ok(operation, request).at("Count").get<int>());
    return counts;
  };
  const std::set<int> both = {0, 1};
  CHECK(seen("Query", query) == both);
  CHECK(seen("Scan", {{"TableName", "Music"}}) == both);
  CHECK(seen("Scan", {{"TableName", "Music"}, {"IndexName", "byA"}}) == both);
  CHECK(seen("Query", with(query, {{"ConsistentRead", true}})) == std::set<int>{1});
}

TEST_CASE("the same seed gives the same stale reads") {
  dinette::dynamodb::ServiceOptions options;
  options.stale_reads = 160ms;
  const auto versions_read = [&](std::uint64_t seed) {
    DynamoDb db(options, nullptr, dinette::dynamodb::face(), seed);
    db.ok("CreateTable", with_index());
    for (int version = 0; version < 200; ++version) {
      db.put("Music", item(version));
      db.clock().advance(1ms);
    }
    std::vector<Json> seen;
    for (int i = 0; i < 30; ++i) {
      seen.push_back(db.ok("GetItem", get));
      seen.push_back(db.ok("Scan", {{"TableName", "Music"}}));
    }
    return seen;
  };
  const auto first = versions_read(7);
  CHECK(versions_read(7) == first);
  CHECK(versions_read(8) != first);
}

TEST_CASE("stale reads see some recent state, consistent reads the last one") {
  dinette::dynamodb::ServiceOptions options;
  options.stale_reads = 160ms;
  DynamoDb db(options);
  db.ok("CreateTable", with_index());
  for (int version = 0; version < 300; ++version) {
    db.put("Music", item(version));
    db.clock().advance(1ms);
  }
  std::set<int> seen;
  for (int i = 0; i < 100; ++i) {
    seen.insert(std::stoi(db.ok("GetItem", get).at("Item").at("v").at("N").get<std::string>()));
    const Json consistent = with(get, {{"ConsistentRead", true}});
    CHECK(db.ok("GetItem", consistent).at("Item") == item(299));
    const Json scan = {{"TableName", "Music"}, {"ConsistentRead", true}};
    CHECK(db.ok("Scan", scan).at("Items") == Json::array({item(299)}));
  }
  CHECK(seen.size() > 3);
  CHECK(batch_reads(db, true) == std::set{299});
  const std::set<int> seen_by_batches = batch_reads(db, false);
  CHECK(seen_by_batches.size() > 3);
  CHECK(*seen_by_batches.begin() >= 300 - 160 - 11);
  CHECK(*seen.begin() >= 300 - 160 - 11);
}

}  // namespace test::stale_reads_test
