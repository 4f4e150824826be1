#include <algorithm>
#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/api/examples.h"
#include "dynamodb/throttling/throttled_tables.h"

// Throttling of requests with several items, of changes of throughput, of the control plane, and by world
// (docs/service/throttling.md sections 3, 4 and 6).
namespace test::throttled_parts_test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view table_reads = "TableReadProvisionedThroughputExceeded";
constexpr std::string_view table_writes = "TableWriteProvisionedThroughputExceeded";
constexpr std::string_view mismatch = "IdempotentParameterMismatchException";

Json in_index(std::string_view a) {
  return {{"a", {{"S", a}}}};
}

Json put_action(const Json& item, std::string_view table = "Music") {
  return {{"Put", {{"TableName", table}, {"Item", item}}}};
}
/// `actions` is one or a list of them.
Json transaction(const Json& actions, std::string_view token = "") {
  Json request = {{"TransactItems", actions.is_array() ? actions : Json::array({actions})}};
  if (!token.empty()) request["ClientRequestToken"] = token;
  return request;
}
Json get_action(std::string_view pk, std::string_view table = "Music") {
  return {{"Get", {{"TableName", table}, {"Key", with_pk(pk)}}}};
}

Json statements(std::string_view member, std::initializer_list<std::string_view> texts) {
  Json list = Json::array();
  for (const std::string_view text : texts) list.push_back({{"Statement", text}});
  return {{member, list}};
}

/// Takes all read units of a table with 1 unit.
void drain_reads(DynamoDb& db, std::string_view table = "Music") {
  while (get(db, "drain", true, table).status == 200) continue;
}

/// Reads as much of the item "hot" of 400 units as its partition gives in a second.
void heat_reads(DynamoDb& db) {
  while (get(db, "hot", true).status == 200) continue;
}

}  // namespace

TEST_CASE("a batch leaves the writes of a partition without credit unprocessed") {
  Throttled db;
  db.ok("CreateTable", on_demand());
  for (int i = 0; i < 3; ++i) REQUIRE(put(db, item_of("hot", 350)).status == 200);
  Json writes = Json::array({delete_request(with_pk("hot"))});
  for (const std::string_view pk : {"1", "2", "3", "4", "5", "6", "7", "8"})
    writes.push_back(put_request(item_of(pk, 1)));
  const Json answer = db.ok("BatchWriteItem", batch({{"Music", writes}}));
  const Json left = answer["UnprocessedItems"]["Music"];
  CHECK(left[0] == writes[0]);
  CHECK((left.size() > 1 && left.size() < 9));
  CHECK_FALSE(db.get("Music", with_pk("hot")).is_null());
  for (const Json& write : writes) {
    if (!write.contains("PutRequest")) continue;
    const bool is_left = std::find(left.begin(), left.end(), write) != left.end();
    CHECK(db.get("Music", {{"pk", write["PutRequest"]["Item"]["pk"]}}).is_null() == is_left);
  }
}

TEST_CASE("a batch takes as it continues, so that a partition runs out in the middle") {
  Throttled db;
  Json table = with_range("Songs");
  table["AttributeDefinitions"] = Json::array({attribute("pk", "S"), attribute("sk", "S")});
  db.ok("CreateTable", table);
  Json writes = Json::array();
  for (int i = 0; i < 5; ++i)
    writes.push_back(put_request(item_of("hot", 350, {{"sk", {{"S", std::to_string(i)}}}})));
  const Json answer = db.ok("BatchWriteItem", batch({{"Songs", writes}}));
  CHECK(answer["UnprocessedItems"]["Songs"] == Json::array({writes[3], writes[4]}));
}

TEST_CASE("a batch of which all writes are refused is refused") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  check_throttled(db.call("BatchWriteItem", batch({{"Music", numbered_puts(3)}})),
                  {exceeded, sentence_pt, std::string(table_writes)});
  Throttled other;
  other.ok("CreateTable", with_maxima(1, 0));
  drain(other);
  check_throttled(other.call("BatchWriteItem", batch({{"Music", numbered_puts(3)}})),
                  {throttling, sentence_om, "TableWriteMaxOnDemandThroughputExceeded"});
}

TEST_CASE("a batch that its table admits is done, whatever it costs") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  REQUIRE(put(db, item_of("a", 299)).status == 200);
  CHECK(db.ok("BatchWriteItem", batch({{"Music", numbered_puts(25)}}))["UnprocessedItems"].empty());
  check_reason(put(db, item_of("a", 1)), table_writes);
}

TEST_CASE("a batch leaves writes that an index refuses unprocessed") {
  Throttled db;
  db.ok("CreateTable", with_maxima(0, 1));
  REQUIRE(put(db, item_of("drain", 300, in_index("d"))).status == 200);
  const Json in = put_request(item_of("in", 1, in_index("e")));
  const Json out = put_request(item_of("out", 1));
  CHECK(db.ok("BatchWriteItem", batch({{"Music", {in, out}}}))["UnprocessedItems"]["Music"] ==
        Json::array({in}));
  check_throttled(
      db.call("BatchWriteItem", batch({{"Music", Json::array({in})}})),
      {throttling, sentence_oi, "IndexWriteMaxOnDemandThroughputExceeded", "table/Music/index/byA"});
}

TEST_CASE("a table without credit leaves all its keys unprocessed, and others are read") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  db.ok("CreateTable", with_units(1, 1, "Other"));
  drain(db);
  drain_reads(db);
  const Json keys = {{"Keys", numbered_keys(2)}, {"ConsistentRead", true}};
  const Json answer = db.ok("BatchGetItem", batch({{"Music", keys}, {"Other", keys}}));
  CHECK(answer["UnprocessedKeys"] == Json{{"Music", keys}});
  CHECK(answer["Responses"]["Other"].empty());
  check_throttled(db.call("BatchGetItem", batch({{"Music", keys}})),
                  {exceeded, sentence_pt, std::string(table_reads)});
}

TEST_CASE("a partition without credit leaves its keys unprocessed") {
  Throttled db;
  db.ok("CreateTable", on_demand());
  REQUIRE(put(db, item_of("hot", 400)).status == 200);
  heat_reads(db);
  Json keys = numbered_keys(8);
  keys.push_back(with_pk("hot"));
  const Json answer = db.ok("BatchGetItem", batch({{"Music", {{"Keys", keys}}}}));
  const Json left = answer["UnprocessedKeys"]["Music"]["Keys"];
  CHECK(left.back() == with_pk("hot"));
  CHECK(left.size() < 9);
}

TEST_CASE("a batch whose keys are all of a partition without credit is refused") {
  Throttled db;
  db.ok("CreateTable", on_demand());
  REQUIRE(put(db, item_of("hot", 400)).status == 200);
  heat_reads(db);
  check_throttled(db.call("BatchGetItem", batch({{"Music", {{"Keys", Json::array({with_pk("hot")})}}}})),
                  {throttling, sentence_ok, "TableReadKeyRangeThroughputExceeded"});
}

TEST_CASE("a transaction is refused at the top, with nothing written") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  db.ok("CreateTable", with_units(1, 1, "Other"));
  drain(db);
  check_throttled(db.call("TransactWriteItems",
                          transaction({put_action(item_of("a", 1), "Other"), put_action(item_of("a", 1))})),
                  {exceeded, sentence_pt, std::string(table_writes)});
  CHECK(db.get("Other", with_pk("a")).is_null());
  check_throttled(db.call("ExecuteTransaction",
                          statements("TransactStatements", {"INSERT INTO Other VALUE {'pk': 'a'}",
                                                            "INSERT INTO Music VALUE {'pk': 'a'}"})),
                  {exceeded, sentence_pt, std::string(table_writes)});
  CHECK(db.get("Other", with_pk("a")).is_null());
}

TEST_CASE("a transaction takes twice what its writes do, but of indexes once") {
  Throttled db;
  db.ok("CreateTable", with_index(1, 1));
  CHECK(db.call("TransactWriteItems", transaction({put_action(item_of("a", 149, in_index("d")))})).status ==
        200);
  CHECK(put(db, item_of("b", 2)).status == 200);
  check_reason(put(db, item_of("b", 1)), table_writes);
  db.pass(1s);
  CHECK(put(db, item_of("c", 1, in_index("d"))).status == 200);  // the index has 151 left
}

TEST_CASE("a cancelled transaction takes what it would write again, a refused one nothing") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  REQUIRE(put(db, item_of("a", 100)).status == 200);
  Json fails = put_action(item_of("a", 1));
  fails["Put"]["ConditionExpression"] = "attribute_not_exists(pk)";
  CHECK(db.call("TransactWriteItems", transaction({fails})).error() == "TransactionCanceledException");
  check_reason(db.call("TransactWriteItems", transaction({fails})), table_writes);
}

TEST_CASE("an index refuses a transaction in other words than a single write") {
  Throttled db;
  db.ok("CreateTable", with_maxima(0, 1));
  REQUIRE(put(db, item_of("drain", 300, in_index("d"))).status == 200);
  Json fails = put_action(item_of("drain", 1));
  fails["Put"]["ConditionExpression"] = "attribute_not_exists(pk)";
  const Refused refused{throttling, sentence_oi, "IndexWriteMaxOnDemandThroughputExceeded",
                        "table/Music/index/byA"};
  check_throttled(
      db.call("TransactWriteItems", transaction({fails, put_action(item_of("a", 1, in_index("e")))})),
      refused);
  CHECK(db.get("Music", with_pk("a")).is_null());
  check_throttled(
      db.call("ExecuteTransaction",
              statements("TransactStatements", {"INSERT INTO Music VALUE {'pk': 'a', 'a': 'e'}"})),
      refused);
}

TEST_CASE("a partition refuses a transaction, that of an index in the words of the index") {
  Throttled db;
  db.ok("CreateTable", with_maxima(0, 0));
  for (const std::string_view pk : {"1", "2", "3"})
    REQUIRE(put(db, item_of(pk, 400, in_index("hot"))).status == 200);
  check_throttled(db.call("TransactWriteItems", transaction({put_action(item_of("5", 1, in_index("hot")))})),
                  {throttling, sentence_oi, "IndexWriteKeyRangeThroughputExceeded", "table/Music/index/byA"});
  db.pass(1s);
  while (put(db, item_of("hot", 400)).status == 200) continue;
  check_throttled(db.call("TransactWriteItems", transaction({put_action(item_of("hot", 1))})),
                  {throttling, sentence_ok, "TableWriteKeyRangeThroughputExceeded"});
}

TEST_CASE("a refused transaction binds its token to its content, and its retry is executed") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  const Json request = transaction({put_action(item_of("a", 1))}, "token");
  check_reason(db.call("TransactWriteItems", request), table_writes);
  db.pass(1s);
  CHECK(db.call("TransactWriteItems", transaction({put_action(item_of("b", 1))}, "token")).error() ==
        mismatch);
  CHECK(db.call("TransactWriteItems", request).status == 200);
  CHECK_FALSE(db.get("Music", with_pk("a")).is_null());
}

TEST_CASE("a replay takes reads") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  const Json request = transaction({put_action(item_of("a", 400))}, "token");
  CHECK(db.call("TransactWriteItems", request).status == 200);
  check_reason(put(db, item_of("b", 1)), table_writes);
  for (int i = 0; i < 2; ++i) CHECK(db.call("TransactWriteItems", request).status == 200);  // 200 units each
  check_reason(db.call("TransactWriteItems", request), table_reads);
}

TEST_CASE("a transaction of reads is refused and charged twice") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  const Json request = transaction({get_action("drain")});
  for (int i = 0; i < 2; ++i) CHECK(db.call("TransactGetItems", request).status == 200);  // 150 units each
  check_throttled(db.call("TransactGetItems", request), {exceeded, sentence_pt, std::string(table_reads)});
  check_reason(db.call("ExecuteTransaction",
                       statements("TransactStatements", {"SELECT * FROM Music WHERE pk = 'drain'"})),
               table_reads);
}

TEST_CASE("the tables of a transaction are asked before any partition") {
  Throttled db;
  db.ok("CreateTable", on_demand("Hot"));
  db.ok("CreateTable", with_units(1, 1));
  while (put(db, item_of("hot", 400), "Hot").status == 200) continue;
  drain(db);
  check_reason(db.call("TransactWriteItems",
                       transaction({put_action(item_of("hot", 1), "Hot"), put_action(item_of("a", 1))})),
               table_writes);
}

TEST_CASE("statements of a batch are throttled one by one, without a list of reasons") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  db.ok("CreateTable", with(with_maxima(0, 1), {{"TableName", "Other"}}));
  drain(db);
  REQUIRE(put(db, item_of("drain", 300, in_index("d")), "Other").status == 200);
  Json request = statements(
      "Statements", {"INSERT INTO Music VALUE {'pk': 'a'}", "INSERT INTO Other VALUE {'pk': 'a', 'a': 'e'}",
                     "INSERT INTO Other VALUE {'pk': 'out'}"});
  const Json answer = db.ok("BatchExecuteStatement", request)["Responses"];
  CHECK(answer[0] == Json{{"Error", {{"Code", "ProvisionedThroughputExceeded"}, {"Message", sentence_pt}}},
                          {"TableName", "Music"}});
  CHECK(answer[1] ==
        Json{{"Error", {{"Code", "ThrottlingError"}, {"Message", sentence_oi}}}, {"TableName", "Other"}});
  CHECK(answer[2] == Json{{"TableName", "Other"}});
  request["Statements"].erase(2);
  request["ReturnConsumedCapacity"] = "TOTAL";
  CHECK_FALSE(db.ok("BatchExecuteStatement", request).contains("ConsumedCapacity"));
}

TEST_CASE("statements of a batch say ThrottlingError where an on-demand table refuses them, reads too") {
  Throttled db;
  db.ok("CreateTable", with_maxima(1, 0));
  db.ok("CreateTable", on_demand("Hot"));
  drain(db);
  while (put(db, item_of("hot", 400), "Hot").status == 200) continue;
  while (get(db, "drain", true).status == 200) continue;
  const auto refused = [&](std::string_view table, const std::string& sentence) {
    return Json{{"Error", {{"Code", "ThrottlingError"}, {"Message", sentence}}}, {"TableName", table}};
  };
  const Json of_writes = db.ok("BatchExecuteStatement",
                               statements("Statements", {"INSERT INTO Music VALUE {'pk': 'a'}",
                                                         "DELETE FROM Hot WHERE pk = 'hot'"}))["Responses"];
  CHECK(of_writes == Json::array({refused("Music", sentence_om), refused("Hot", sentence_ok)}));
  const Json of_reads = db.ok("BatchExecuteStatement",
                              statements("Statements", {"SELECT * FROM Music WHERE pk = 'a'"}))["Responses"];
  CHECK(of_reads == Json::array({refused("Music", sentence_om)}));
}

TEST_CASE("a raised throughput counts from when it is in force") {
  dinette::dynamodb::ServiceOptions options;
  options.throttle = true;
  options.state_delay = 10s;
  DynamoDb db(options);
  const auto pass = [&](std::chrono::microseconds time) { db.clock().set(db.clock().now() + time); };
  db.ok("CreateTable", with_units(1, 1));
  pass(10s);
  drain(db);
  db.ok("UpdateTable", {{"TableName", "Music"}, {"ProvisionedThroughput", units(1, 100)}});
  pass(9s);
  CHECK(put(db, item_of("a", 9)).status == 200);
  check_reason(put(db, item_of("a", 1)), table_writes);
  pass(2s);  // one at the old rate, one at the new
  CHECK(put(db, item_of("a", 100)).status == 200);
  CHECK(put(db, item_of("a", 1)).status == 200);
  check_reason(put(db, item_of("a", 1)), table_writes);
}

TEST_CASE("a full bucket does not grow in hindsight") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  db.ok("UpdateTable", {{"TableName", "Music"}, {"ProvisionedThroughput", units(1, 100)}});
  drain(db);
  check_reason(put(db, item_of("a", 1)), table_writes);
}

TEST_CASE("a lower throughput cuts what was saved up") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 100));
  db.ok("UpdateTable", {{"TableName", "Music"}, {"ProvisionedThroughput", units(1, 1)}});
  drain(db);
  check_reason(put(db, item_of("a", 1)), table_writes);
}

TEST_CASE("an index fills at its old rate until the new one is in force") {
  Throttled db;
  db.ok("CreateTable", with_index(1000, 1));
  REQUIRE(put(db, item_of("drain", 300, in_index("d"))).status == 200);
  db.pass(10s);
  db.ok("UpdateTable", {{"TableName", "Music"},
                        {"GlobalSecondaryIndexUpdates",
                         {{{"Update", {{"IndexName", "byA"}, {"ProvisionedThroughput", units(1, 100)}}}}}}});
  CHECK(put(db, item_of("a", 10, in_index("d"))).status == 200);
  check_reason(put(db, item_of("b", 1, in_index("d"))), "IndexWriteProvisionedThroughputExceeded");
}

TEST_CASE("a switch of the billing mode begins with full buckets") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  check_reason(put(db, item_of("a", 1)), table_writes);
  db.ok("UpdateTable", {{"TableName", "Music"}, {"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(put(db, item_of("a", 1)).status == 200);
  db.ok("UpdateTable",
        {{"TableName", "Music"}, {"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(1, 1)}});
  drain(db);
  check_reason(put(db, item_of("a", 1)), table_writes);
}

TEST_CASE("a new table of the same name begins with full buckets") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  db.ok("DeleteTable", {{"TableName", "Music"}});
  db.ok("CreateTable", with_units(1, 1));
  CHECK(put(db, item_of("a", 1)).status == 200);
}

TEST_CASE("each world has buckets of its own, full at its beginning") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  check_reason(put(db, item_of("a", 1)), table_writes);
  const auto image = db.worlds().pick("").value()->image();
  REQUIRE(db.worlds().add_fork("copy", *image).value() != nullptr);
  const Json request = {{"TableName", "Music"}, {"Item", item_of("a", 300)}};
  const Headers in_fork = {{"X-Dinette-World", "copy"}};
  CHECK(db.call("PutItem", request, in_fork).status == 200);
  check_reason(db.call("PutItem", request, in_fork), table_writes);
  check_reason(put(db, item_of("a", 1)), table_writes);
  REQUIRE(db.worlds().restore("", *image).ok());
  drain(db);
}

TEST_CASE("what is deleted because its time to live is over takes nothing") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  db.ok("UpdateTimeToLive", {{"TableName", "Music"},
                             {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}});
  REQUIRE(put(db, Json{{"pk", {{"S", "a"}}}, {"ends", {{"N", "1791633599"}}}}).status == 200);
  REQUIRE(put(db, item_of("drain", 298)).status == 200);
  db.jobs().run_due();
  CHECK(db.get("Music", with_pk("a")).is_null());
  CHECK(put(db, item_of("b", 1)).status == 200);
  check_reason(put(db, item_of("b", 1)), table_writes);
}

TEST_CASE("a batch on an event loop goes to a worker, so that it is counted once", "[own engine]") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  const std::string request = batch({{"Music", numbered_puts(1)}}).dump();
  CHECK_FALSE(db.call_on_loop("BatchWriteItem", request));
  CHECK_FALSE(db.call_on_loop("DescribeTable", R"({"TableName": "Music"})"));
  CHECK(db.call_on_loop("GetItem", R"({"TableName": "Music", "Key": {"pk": {"S": "a"}}})").value().status ==
        200);
}

TEST_CASE("the control plane refuses what comes after 2,500 calls in a second") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  for (int i = 1; i < 2500; ++i) REQUIRE(db.call("DescribeLimits", "{}").status == 200);
  const Reply refused = db.call("DescribeLimits", "{}");
  CHECK(refused.json() ==
        Json{{"__type", "com.amazon.coral.availability#ThrottlingException"}, {"message", "Rate exceeded"}});
  CHECK(db.call("CreateTable", with_units(1, 1, "Other")).message() ==
        "The rate of control plane requests made by this account is too high");
  CHECK(put(db, item_of("a", 1)).status == 200);
  db.pass(1ms);
  CHECK(db.call("ListTables", "{}").status == 200);
}

TEST_CASE("it alone is limited per account, and reads it refuses in other words than changes") {
  Throttled db;
  for (int i = 0; i < 2500; ++i) REQUIRE(db.call("DescribeLimits", "{}").status == 200);
  for (const auto& example : dinette::dynamodb::api::examples) {
    if (example.answer.find("failed to satisfy constraint") != std::string_view::npos) continue;
    const std::string_view name = example.operation;
    INFO(name);
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    const bool of_streams =
        name == "GetRecords" || name == "GetShardIterator" || (has("Stream") && !has("Kinesis"));
    const bool of_data = (has("Item") && !has("Bulk")) || has("Execute") || name == "Query" ||
                         name == "Scan" || name == "SearchVectors";
    const Reply reply = db.call(name, example.request);
    CHECK((reply.error() == throttling) == (!of_data && !of_streams));
    if (reply.error() != throttling) continue;
    const bool reads = name.starts_with("Describe") || name.starts_with("Get") || name.starts_with("List");
    CHECK((reply.message() == "Rate exceeded") == reads);
  }
}

TEST_CASE("500 tables at most are made, changed or removed at once", "[volume]") {
  dinette::dynamodb::ServiceOptions options;
  options.throttle = true;
  options.state_delay = 1h;
  DynamoDb db(options);
  for (int i = 0; i < 500; ++i) db.ok("CreateTable", on_demand("Table" + std::to_string(i)));
  const Reply refused = db.call("CreateTable", on_demand("Another"));
  CHECK(refused.error() == "LimitExceededException");
  CHECK(refused.message() ==
        "Subscriber limit exceeded: Only 500 table operations can be done simultaneously");
  for (const std::string_view operation : {"UpdateTable", "DeleteTable"}) {
    INFO(operation);
    CHECK(db.call(operation, R"({"TableName": "Table0"})").message() == refused.message());
  }
  CHECK(db.call("DescribeTable", R"({"TableName": "Table0"})").status == 200);
  db.clock().set(db.clock().now() + 1h);
  CHECK(db.call("CreateTable", on_demand("Another")).status == 200);
}

TEST_CASE("faults and throttling come together, faults first") {
  Throttled db;
  db.ok("CreateTable", with_units(1, 1));
  drain(db);
  auto& faults = db.worlds().pick("").value()->faults();
  faults.replace({{.operation = "PutItem", .times = 1, .effect = {.error = "InternalServerError"}}});
  CHECK(put(db, item_of("a", 1)).error() == "InternalServerError");
  check_reason(put(db, item_of("a", 1)), table_writes);
  faults.replace({{.operation = "BatchWriteItem", .effect = {.unprocessed = {1}}}});
  db.pass(1s);
  const Json writes = numbered_puts(2);
  CHECK(db.ok("BatchWriteItem", batch({{"Music", writes}}))["UnprocessedItems"]["Music"] ==
        Json::array({writes[0]}));
}

}  // namespace test::throttled_parts_test
