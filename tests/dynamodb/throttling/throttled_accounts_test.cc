#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/throttling/throttled_tables.h"

// What an account may take of an on-demand table or index without a maximum, which takes load on many
// partitions (docs/service/throttling.md sections 3 and 4).
namespace test::throttled_accounts_test {
namespace {

using namespace std::chrono_literals;

const std::string sentence_account =
    "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at "
    "https://aws.amazon.com/support request a limit increase";
const std::string exceeds_account = "RequestLimitExceeded";

Json in_index(std::string_view a) {
  return {{"a", {{"S", a}}}};
}

/// An on-demand table, and its index by `a`, with partitions for 40,000 units.
Json on_many_partitions() {
  const Json warm = {{"ReadUnitsPerSecond", 12'000}, {"WriteUnitsPerSecond", 40'000}};
  Json request = with(with_maxima(0, 0), {{"WarmThroughput", warm}});
  request["GlobalSecondaryIndexes"][0]["WarmThroughput"] = warm;
  return request;
}

Json without_index(Json request) {
  request.erase("GlobalSecondaryIndexes");
  request["AttributeDefinitions"].erase(1);
  return request;
}

constexpr int items = 80;

/// Puts as many large items, each with an index entry of its own, and waits until all units are back.
void fill(Throttled& db) {
  for (int i = 0; i < items; ++i) {
    const std::string number = std::to_string(i);
    REQUIRE(put(db, item_of(number, 399, in_index(number))).status == 200);
    db.pass(1s);
  }
}

/// Writes one of the items again.
Reply set(DynamoDb& db, int number, std::string_view attribute, std::string_view value) {
  return db.call("UpdateItem", Json{{"TableName", "Music"},
                                    {"Key", with_pk(std::to_string(number % items))},
                                    {"UpdateExpression", std::string("SET ").append(attribute) + " = :v"},
                                    {"ExpressionAttributeValues", {{":v", {{"S", value}}}}}});
}

/// Sends requests of many partitions until one is refused for another reason than that its partition ran out.
template <class Send>
Reply until_account_exceeded(Send send) {
  for (int i = 0; i < 5000; ++i) {
    Reply reply = send(i);
    if (reply.status != 200 && reply.body.find("KeyRange") == std::string::npos) return reply;
  }
  FAIL("the account never runs out");
  return {};
}

}  // namespace

TEST_CASE("an account writes 40,000 units a second to an on-demand table", "[same on every engine]") {
  Throttled db;
  db.ok("CreateTable", without_index(on_many_partitions()));
  fill(db);
  const Reply reply = until_account_exceeded([&](int i) { return set(db, i, "n", "x"); });
  check_throttled(reply, {exceeds_account, sentence_account, "TableWriteAccountLimitExceeded"});
  CHECK(get(db, "none", true).status == 200);
  db.pass(1s);
  CHECK(put(db, item_of("a", 1)).status == 200);
}

TEST_CASE("an account writes 40,000 units a second to an index of an on-demand table",
          "[same on every engine]") {
  Throttled db;
  db.ok("CreateTable", on_many_partitions());
  fill(db);
  // Each entry is moved, which takes of the index twice what it takes of the table.
  const Reply reply =
      until_account_exceeded([&](int i) { return set(db, i, "a", "to" + std::to_string(i)); });
  check_throttled(
      reply, {exceeds_account, sentence_account, "IndexWriteAccountLimitExceeded", "table/Music/index/byA"});
  CHECK(put(db, item_of("out", 1)).status == 200);
}

TEST_CASE("an account reads 40,000 units a second of an index of an on-demand table",
          "[same on every engine]") {
  Throttled db;
  db.ok("CreateTable", on_many_partitions());
  fill(db);
  // 50 units each.
  const Reply reply = until_account_exceeded([&](int i) {
    return db.call("Query",
                   Json{{"TableName", "Music"},
                        {"IndexName", "byA"},
                        {"Select", "COUNT"},
                        {"KeyConditionExpression", "a = :a"},
                        {"ExpressionAttributeValues", {{":a", {{"S", std::to_string(i % items)}}}}}});
  });
  check_throttled(
      reply, {exceeds_account, sentence_account, "IndexReadAccountLimitExceeded", "table/Music/index/byA"});
  CHECK(get(db, "none", true).status == 200);
}

}  // namespace test::throttled_accounts_test
