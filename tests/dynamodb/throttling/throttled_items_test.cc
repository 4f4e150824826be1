#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/request/throttled.h"
#include "dynamodb/throttling/throttled_tables.h"

// Throttling of one item, by table, index and partition (docs/service/throttling.md sections 3 and 4).
namespace test::throttled_items_test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view table_reads = "TableReadProvisionedThroughputExceeded";
constexpr std::string_view table_writes = "TableWriteProvisionedThroughputExceeded";
constexpr std::string_view index_writes = "IndexWriteProvisionedThroughputExceeded";

Json in_index(std::string_view a) {
  return {{"a", {{"S", a}}}};
}

Reply query(DynamoDb& db, std::string_view a) {
  return db.call("Query", Json{{"TableName", "Music"},
                               {"IndexName", "byA"},
                               {"KeyConditionExpression", "a = :a"},
                               {"ExpressionAttributeValues", {{":a", {{"S", a}}}}}});
}

}  // namespace

TEST_CASE("a refused request shows no consumed capacity") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  const Json wishes = {{"TableName", "Music"}, {"ReturnConsumedCapacity", "TOTAL"}};
  check_throttled(db.call("PutItem", with(wishes, {{"Item", item_of("a", 1)}})),
                  {exceeded, sentence_pt, std::string(table_writes)});
}

TEST_CASE("without the option nothing is throttled") {
  DynamoDb db;
  db.ok("CreateTable", with_units(1, 1));
  for (int i = 0; i < 3; ++i) CHECK(put(db, item_of("a", 300)).status == 200);
}

TEST_CASE("a table with 1 write unit takes a burst of 300, and then one per second") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  for (int i = 0; i < 300; ++i) REQUIRE(put(db, item_of("a", 1)).status == 200);
  check_throttled(put(db, item_of("b", 1)), {exceeded, sentence_pt, std::string(table_writes)});
  CHECK(db.get("Music", with_pk("b")).is_null());
  db.pass(1s - 1us);
  check_reason(put(db, item_of("b", 1)), table_writes);
  db.pass(1us);
  CHECK(put(db, item_of("b", 1)).status == 200);
  check_reason(put(db, item_of("b", 1)), table_writes);
  db.pass(1h);
  for (int i = 0; i < 300; ++i) REQUIRE(put(db, item_of("a", 1)).status == 200);
  check_reason(put(db, item_of("a", 1)), table_writes);
}

// docs/service/throttling.md section 2: the recorded answers.
TEST_CASE("a call is admitted while credit is left, whatever it costs, and leaves no debt") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  CHECK(put(db, item_of("a", 351)).status == 200);
  check_reason(put(db, item_of("a", 351)), table_writes);
  db.pass(1s);
  CHECK(put(db, item_of("a", 351)).status == 200);
  check_reason(put(db, item_of("a", 1)), table_writes);
  for (int i = 0; i < 30; ++i) {
    db.pass(12s);
    CHECK(put(db, item_of("a", 351)).status == 200);
    CHECK(get(db, "a", true).status == 200);
  }
}

TEST_CASE("reads and writes run out apart, eventual reads at half the rate") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  REQUIRE(put(db, item_of("a", 300)).status == 200);  // 75 units to read
  for (int i = 0; i < 4; ++i) CHECK(get(db, "a", true).status == 200);
  check_throttled(get(db, "a", true), {exceeded, sentence_pt, std::string(table_reads)});
  check_reason(put(db, item_of("a", 1)), table_writes);
  db.pass(500ms);
  check_reason(get(db, "none", true), table_reads);
  CHECK(get(db, "none", false).status == 200);
  check_reason(get(db, "none", false), table_reads);
}

TEST_CASE("a write whose condition fails takes what the stored item does") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  REQUIRE(put(db, item_of("a", 100)).status == 200);
  const Json never = {{"TableName", "Music"}, {"Item", item_of("a", 1)}, {"ConditionExpression", "y = pk"}};
  for (int i = 0; i < 2; ++i) CHECK(db.call("PutItem", never).error() == "ConditionalCheckFailedException");
  check_reason(db.call("PutItem", never), table_writes);
}

TEST_CASE("what is wrong with a request comes before throttling, a condition after it") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  CHECK(put(db, {{"pk", {{"N", "1"}}}}).error() == "ValidationException");
  CHECK(put(db, item_of("a", 1), "Missing").error() == "ResourceNotFoundException");
  check_reason(db.call("DeleteItem", Json{{"TableName", "Music"},
                                          {"Key", with_pk("a")},
                                          {"ConditionExpression", "attribute_exists(pk)"}}),
               table_writes);
}

TEST_CASE("every single write and read is throttled") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  for (int i = 0; i < 4; ++i) REQUIRE(get(db, "drain", true).status == 200);
  const Json key = {{"TableName", "Music"}, {"Key", with_pk("a")}};
  check_reason(db.call("DeleteItem", key), table_writes);
  check_reason(db.call("UpdateItem", key), table_writes);
  check_reason(db.call("GetItem", key), table_reads);
  check_reason(db.call("Scan", Json{{"TableName", "Music"}}), table_reads);
  check_reason(db.call("Query", Json{{"TableName", "Music"},
                                     {"KeyConditionExpression", "pk = :p"},
                                     {"ExpressionAttributeValues", {{":p", {{"S", "a"}}}}}}),
               table_reads);
  const auto execute = [&](std::string_view statement) {
    return db.call("ExecuteStatement", Json{{"Statement", statement}});
  };
  check_reason(execute("INSERT INTO Music VALUE {'pk': 'a'}"), table_writes);
  check_reason(execute("UPDATE Music SET b = 1 WHERE pk = 'drain'"), table_writes);
  check_reason(execute("DELETE FROM Music WHERE pk = 'drain'"), table_writes);
  check_reason(execute("SELECT * FROM Music WHERE pk = 'a'"), table_reads);
  check_reason(execute("SELECT * FROM Music"), table_reads);
}

TEST_CASE("a page is looked at once and charged when it is read") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  const Json scan = {{"TableName", "Music"}, {"ConsistentRead", true}};
  for (int i = 0; i < 4; ++i) CHECK(db.call("Scan", scan).json()["Count"] == 1);
  check_reason(db.call("Scan", scan), table_reads);
}

TEST_CASE("statements that read are charged for each read of theirs") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  const Json select = {{"Statement", "SELECT * FROM Music WHERE pk IN ['drain', 'none']"},
                       {"ConsistentRead", true}};
  for (int i = 0; i < 4; ++i) CHECK(db.call("ExecuteStatement", select).status == 200);  // 76 units each
  check_reason(db.call("ExecuteStatement", select), table_reads);
}

TEST_CASE("an index without credit refuses the writes of items that are in it") {
  Throttled db;
  db.ok("CreateTable", with_index(1000, 1));
  REQUIRE(put(db, item_of("drain", 300, in_index("d"))).status == 200);
  REQUIRE(put(db, item_of("out", 1)).status == 200);
  const Refused refused{exceeded, sentence_pi, std::string(index_writes), "table/Music/index/byA"};
  check_throttled(put(db, item_of("in", 1, in_index("e"))), refused);
  CHECK(db.get("Music", with_pk("in")).is_null());
  check_throttled(db.call("DeleteItem", Json{{"TableName", "Music"}, {"Key", with_pk("drain")}}), refused);
  CHECK(put(db, item_of("out", 2)).status == 200);
  db.pass(1s);
  CHECK(put(db, item_of("in", 1, in_index("e"))).status == 200);
}

TEST_CASE("an index without credit refuses a write that would not change it") {
  Throttled db;
  db.ok("CreateTable", with_index(1000, 1, "KEYS_ONLY"));
  for (int i = 0; i < 151; ++i)
    REQUIRE(put(db, item_of("a", 1, in_index(std::to_string(i % 2)))).status == 200);
  // Each of them but the first moved the entry, which takes two units.
  const Json update = {{"TableName", "Music"},
                       {"Key", with_pk("a")},
                       {"UpdateExpression", "SET unprojected = :v"},
                       {"ExpressionAttributeValues", {{":v", {{"S", "x"}}}}}};
  check_reason(db.call("UpdateItem", update), index_writes);
  const Json fails = with(update, {{"ConditionExpression", "attribute_not_exists(pk)"}});
  check_reason(db.call("UpdateItem", fails), index_writes);
  db.pass(1s);
  CHECK(db.call("UpdateItem", fails).error() == "ConditionalCheckFailedException");
  for (int i = 0; i < 5; ++i) CHECK(db.call("UpdateItem", update).status == 200);  // the index takes nothing
}

TEST_CASE("tables and global indexes do not draw on each other, local ones share the table's units") {
  Throttled db;
  db.ok("CreateTable", with_index(1, 1000));
  REQUIRE(put(db, item_of("a", 300, in_index("d"))).status == 200);
  check_reason(put(db, item_of("b", 1, in_index("d"))), table_writes);
  for (int i = 0; i < 10; ++i) CHECK(query(db, "d").json()["Count"] == 1);
  for (int i = 0; i < 4; ++i) CHECK(get(db, "a", true).status == 200);
  check_reason(get(db, "a", true), table_reads);
  CHECK(query(db, "d").status == 200);
}

TEST_CASE("an index that was read too much refuses reads of itself alone") {
  Throttled db;
  db.ok("CreateTable", with_index(1000, 1));
  REQUIRE(put(db, item_of("a", 300, in_index("d"))).status == 200);
  for (int i = 0; i < 8; ++i) CHECK(query(db, "d").status == 200);  // 37.5 units each
  check_throttled(query(db, "d"),
                  {exceeded, sentence_pi, "IndexReadProvisionedThroughputExceeded", "table/Music/index/byA"});
  CHECK(get(db, "a", true).status == 200);
}

TEST_CASE("a local index shares the units of its table") {
  Throttled db;
  Json table = with(with_range(), {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(1, 1)}});
  table["LocalSecondaryIndexes"] =
      Json::array({index_on("byA", Json::array({key("pk", "HASH"), key("a", "RANGE")}))});
  table["AttributeDefinitions"].erase(3);
  db.ok("CreateTable", table);
  const auto item = [](int units) {
    Json made = item_of("a", units, in_index("d"));
    made["sk"] = {{"S", "s"}};
    return made;
  };
  REQUIRE(put(db, item(140)).status == 200);  // 141 of the table, as many of the index
  REQUIRE(put(db, item(140)).status == 200);  // the entry stays
  check_reason(put(db, item(1)), table_writes);
}

TEST_CASE("one partition of an on-demand table takes 1,000 write units per second") {
  Throttled db;
  db.ok("CreateTable", on_demand());
  for (int i = 0; i < 3; ++i) CHECK(put(db, item_of("hot", 351)).status == 200);
  check_throttled(put(db, item_of("hot", 351)),
                  {throttling, sentence_ok, "TableWriteKeyRangeThroughputExceeded"});
  int admitted = 0;
  for (const std::string_view pk : {"1", "2", "3", "4", "5", "6", "7", "8"})
    admitted += put(db, item_of(pk, 1)).status == 200 ? 1 : 0;
  CHECK((admitted > 0 && admitted < 8));  // those in the three other partitions
  db.pass(1s);
  CHECK(put(db, item_of("hot", 351)).status == 200);
}

TEST_CASE("one partition of an on-demand table takes 3,000 read units per second") {
  Throttled db;
  db.ok("CreateTable", on_demand());
  REQUIRE(put(db, item_of("hot", 400)).status == 200);
  for (int i = 0; i < 30; ++i) CHECK(get(db, "hot", true).status == 200);
  check_throttled(get(db, "hot", false), {throttling, sentence_ok, "TableReadKeyRangeThroughputExceeded"});
}

TEST_CASE("one partition of a provisioned table may use all its units up to 1,000 per second") {
  Throttled db;
  db.ok("CreateTable", with_units(2000, 2000));
  for (int i = 0; i < 3; ++i) CHECK(put(db, item_of("hot", 400)).status == 200);
  check_throttled(put(db, item_of("hot", 1)),
                  {exceeded, sentence_pt, "TableWriteKeyRangeThroughputExceeded"});
}

TEST_CASE("one partition of a provisioned table reads 3,000 units a second at most") {
  Throttled db;
  db.ok("CreateTable", with_units(20'000, 1000));
  REQUIRE(put(db, item_of("hot", 400)).status == 200);
  for (int i = 0; i < 30; ++i) REQUIRE(get(db, "hot", true).status == 200);
  check_throttled(get(db, "hot", false), {exceeded, sentence_pt, "TableReadKeyRangeThroughputExceeded"});
}

TEST_CASE("a partition is asked before indexes, these by name, and all before a condition") {
  Throttled db;
  Json table = with_index(20'000, 1);
  for (const std::string_view name : {"byC", "byB"}) {
    Json another = table["GlobalSecondaryIndexes"][0];
    another["IndexName"] = name;
    table["GlobalSecondaryIndexes"].push_back(another);
  }
  db.ok("CreateTable", table);
  REQUIRE(put(db, item_of("d", 300, in_index("d"))).status == 200);
  const Json writes = {{"TableName", "Music"},
                       {"Item", item_of("hot", 1, in_index("e"))},
                       {"ConditionExpression", "attribute_exists(nothing)"}};
  check_throttled(db.call("PutItem", with(writes, {{"ConditionExpression", nullptr}})),
                  {exceeded, sentence_pi, std::string(index_writes), "table/Music/index/byA"});
  db.ok("UpdateTable", {{"TableName", "Music"},
                        {"GlobalSecondaryIndexUpdates",
                         {{{"Update", {{"IndexName", "byA"}, {"ProvisionedThroughput", units(9, 1000)}}}}}}});
  db.pass(10ms);  // ten units of the first, none of the others
  check_throttled(db.call("PutItem", with(writes, {{"ConditionExpression", nullptr}})),
                  {exceeded, sentence_pi, std::string(index_writes), "table/Music/index/byB"});
  for (int i = 0; i < 3; ++i) REQUIRE(put(db, item_of("hot", 400)).status == 200);
  check_reason(db.call("PutItem", writes), "TableWriteKeyRangeThroughputExceeded");
}

TEST_CASE("a partition of an index refuses the writes of its items") {
  Throttled provisioned;
  provisioned.ok("CreateTable", with_index(20'000, 1000));
  for (const std::string_view pk : {"1", "2", "3"})
    CHECK(put(provisioned, item_of(pk, 400, in_index("hot"))).status == 200);
  check_throttled(put(provisioned, item_of("4", 1, in_index("hot"))),
                  {exceeded, sentence_pi, "IndexWriteKeyRangeThroughputExceeded", "table/Music/index/byA"});
  Throttled on_demand;
  on_demand.ok("CreateTable", with_maxima(0, 0));
  for (const std::string_view pk : {"1", "2", "3"})
    CHECK(put(on_demand, item_of(pk, 400, in_index("hot"))).status == 200);
  check_throttled(put(on_demand, item_of("5", 1, in_index("hot"))),
                  {exceeded, sentence_oi, "IndexWriteKeyRangeThroughputExceeded", "table/Music/index/byA"});
}

TEST_CASE("the maximum of an on-demand table saves up five minutes, too") {
  Throttled db;
  db.ok("CreateTable", with_maxima(1, 0));
  drain(db);
  check_throttled(put(db, item_of("a", 1)),
                  {throttling, sentence_om, "TableWriteMaxOnDemandThroughputExceeded"});
  for (int i = 0; i < 4; ++i) CHECK(get(db, "drain", true).status == 200);
  check_throttled(get(db, "a", true), {throttling, sentence_om, "TableReadMaxOnDemandThroughputExceeded"});
  db.pass(1s);
  CHECK(put(db, item_of("a", 1)).status == 200);
}

TEST_CASE("the maximum of an index refuses writes in other words than reads") {
  Throttled db;
  db.ok("CreateTable", with_maxima(0, 1));
  REQUIRE(put(db, item_of("drain", 300, in_index("d"))).status == 200);
  const std::string index = "table/Music/index/byA";
  check_throttled(put(db, item_of("a", 1, in_index("e"))),
                  {exceeded, sentence_oi, "IndexWriteMaxOnDemandThroughputExceeded", index});
  for (int i = 0; i < 8; ++i) CHECK(query(db, "d").status == 200);
  check_throttled(query(db, "d"), {throttling, sentence_om, "IndexReadMaxOnDemandThroughputExceeded", index});
}

TEST_CASE("every single write is refused by an index in the same words") {
  Throttled db;
  db.ok("CreateTable", with_maxima(0, 1));
  REQUIRE(put(db, item_of("drain", 300, in_index("d"))).status == 200);
  const Refused refused{exceeded, sentence_oi, "IndexWriteMaxOnDemandThroughputExceeded",
                        "table/Music/index/byA"};
  const Json key = {{"TableName", "Music"}, {"Key", with_pk("drain")}};
  check_throttled(db.call("DeleteItem", key), refused);
  check_throttled(db.call("UpdateItem", key), refused);
  check_throttled(
      db.call("ExecuteStatement", Json{{"Statement", "INSERT INTO Music VALUE {'pk': 'a', 'a': 'e'}"}}),
      refused);
}

TEST_CASE("a partition of an index refuses reads of it") {
  const std::string index = "table/Music/index/byA";
  const std::string reason = "IndexReadKeyRangeThroughputExceeded";
  Throttled provisioned;
  provisioned.ok("CreateTable", with_index(20'000, 3000));
  REQUIRE(put(provisioned, item_of("a", 400, in_index("hot"))).status == 200);
  for (int i = 0; i < 60; ++i) REQUIRE(query(provisioned, "hot").status == 200);  // 50 units each
  check_throttled(query(provisioned, "hot"), {exceeded, sentence_pi, reason, index});
  Throttled on_demand;
  on_demand.ok("CreateTable", with_maxima(0, 0));
  REQUIRE(put(on_demand, item_of("a", 400, in_index("hot"))).status == 200);
  for (int i = 0; i < 60; ++i) REQUIRE(query(on_demand, "hot").status == 200);
  check_throttled(query(on_demand, "hot"), {throttling, sentence_ok, reason, index});
}

TEST_CASE("a Scan is looked at where it begins, and partitions follow a raised warm throughput") {
  Throttled db;
  db.ok("CreateTable", on_demand());
  const auto refused = [&](int segments) {
    int count = 0;
    for (int segment = 0; segment < segments; ++segment) {
      const Reply reply =
          db.call("Scan", Json{{"TableName", "Music"}, {"Segment", segment}, {"TotalSegments", segments}});
      if (reply.status != 200) check_reason(reply, "TableReadKeyRangeThroughputExceeded");
      count += reply.status == 200 ? 0 : 1;
    }
    return count;
  };
  const auto heat = [&] {
    REQUIRE(put(db, item_of("hot", 400)).status == 200);
    while (get(db, "hot", true).status == 200) continue;
  };
  CHECK(refused(8) == 0);
  heat();
  CHECK(refused(8) == 2);
  db.pass(1s);
  db.ok("UpdateTable",
        {{"TableName", "Music"},
         {"WarmThroughput", {{"ReadUnitsPerSecond", 12'000}, {"WriteUnitsPerSecond", 8'000}}}});
  heat();
  CHECK(refused(8) == 1);
}

TEST_CASE("a Scan that goes on is looked at where it goes on") {
  Throttled db;
  db.ok("CreateTable", on_demand());
  // Items of the first and of the last partition.
  for (int i = 0; i < 40; ++i) REQUIRE(put(db, item_of(std::to_string(i), 1)).status == 200);
  const Json items = db.ok("Scan", {{"TableName", "Music"}})["Items"];
  const Json first = items.front()["pk"];
  const Json last = items.back()["pk"];
  REQUIRE(put(db, item_of(first["S"].get<std::string>(), 400)).status == 200);
  while (get(db, first["S"].get<std::string>(), true).status == 200) continue;
  check_reason(db.call("Scan", Json{{"TableName", "Music"}}), "TableReadKeyRangeThroughputExceeded");
  const auto goes_on_after = [&](const Json& pk) {
    return db.call("Scan", Json{{"TableName", "Music"}, {"ExclusiveStartKey", {{"pk", pk}}}});
  };
  check_reason(goes_on_after(first), "TableReadKeyRangeThroughputExceeded");
  CHECK(goes_on_after(last).status == 200);
}

TEST_CASE("a raised warm throughput counts when the table is ACTIVE again, also that of an index") {
  dinette::dynamodb::ServiceOptions options;
  options.throttle = true;
  options.state_delay = 10s;
  DynamoDb db(options);
  const auto pass = [&](std::chrono::microseconds time) { db.clock().set(db.clock().now() + time); };
  db.ok("CreateTable", with_maxima(0, 0));
  pass(10s);
  // Of many entries with as many keys, those are refused that are in the partition of the hot one.
  const auto refused = [&] {
    REQUIRE(put(db, item_of("hot", 400, in_index("hot"))).status == 200);
    while (query(db, "hot").status == 200) continue;
    int count = 0;
    for (int i = 0; i < 64; ++i) count += query(db, std::to_string(i)).status == 200 ? 0 : 1;
    pass(1s);
    return count;
  };
  const int of_four = refused();
  CHECK((of_four > 0 && of_four < 64));
  db.ok("UpdateTable",
        {{"TableName", "Music"},
         {"GlobalSecondaryIndexUpdates",
          {{{"Update", {{"IndexName", "byA"}, {"WarmThroughput", {{"ReadUnitsPerSecond", 40'000}}}}}}}}});
  CHECK(refused() == of_four);
  pass(10s);
  CHECK(refused() < of_four);
}

TEST_CASE("an account takes 40,000 units per second of an on-demand table") {
  Throttled db;
  db.ok("CreateTable",
        with(on_demand(),
             {{"WarmThroughput", {{"ReadUnitsPerSecond", 12'000}, {"WriteUnitsPerSecond", 40'000}}}}));
  for (int i = 0; i < 40; ++i) {
    REQUIRE(put(db, item_of(std::to_string(i), 400)).status == 200);
    db.pass(1s);
  }
  for (int i = 0; i < 400; ++i) REQUIRE(get(db, std::to_string(i % 40), true).status == 200);
  check_throttled(
      get(db, "none", true),
      {"RequestLimitExceeded",
       "Throughput exceeds the current throughput limit for your account. Please contact AWS Support "
       "at https://aws.amazon.com/support request a limit increase",
       "TableReadAccountLimitExceeded"});
  CHECK(put(db, item_of("a", 1)).status == 200);
}

TEST_CASE("each shortage has its reason, sixteen in all") {
  using dinette::dynamodb::Axis;
  using dinette::dynamodb::Limit;
  using dinette::dynamodb::throttled;
  struct Named {
    Limit limit;
    std::string name;
  };
  for (const Named& named : {Named{Limit::provisioned, "ProvisionedThroughputExceeded"},
                             Named{Limit::partition, "KeyRangeThroughputExceeded"},
                             Named{Limit::maximum, "MaxOnDemandThroughputExceeded"},
                             Named{Limit::account, "AccountLimitExceeded"}}) {
    for (const Axis axis : {Axis::read, Axis::write}) {
      for (const std::string index : {"", "byA"}) {
        const auto error = throttled({.limit = named.limit,
                                      .axis = axis,
                                      .on_demand = named.limit != Limit::provisioned,
                                      .table_arn = "arn:table/T",
                                      .index = index});
        REQUIRE(error.throttling.size() == 1);
        CHECK(error.throttling[0].reason == (index.empty() ? "Table" : "Index") +
                                                std::string(axis == Axis::read ? "Read" : "Write") +
                                                named.name);
        CHECK(error.throttling[0].resource == (index.empty() ? "arn:table/T" : "arn:table/T/index/byA"));
      }
    }
  }
  const auto account =
      throttled({.limit = Limit::account, .axis = Axis::read, .on_demand = true, .table_arn = "arn:table/T"});
  CHECK(account.code == dinette::dynamodb::api::ErrorCode::request_limit_exceeded);
  CHECK(account.message ==
        "Throughput exceeds the current throughput limit for your account. Please contact AWS Support at "
        "https://aws.amazon.com/support request a limit increase");
}

}  // namespace test::throttled_items_test
