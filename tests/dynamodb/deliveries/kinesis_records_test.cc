#include <regex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

#include "dynamodb/deliveries/destinations.h"
#include "dynamodb/deliveries/kinesis_record.h"
#include "support/random_requests.h"
#include "support/random_seed.h"

// docs/service/kinesis.md section 3.
namespace test::kinesis_records_test {

using namespace std::chrono_literals;

namespace {

const std::string arn = kinesis_arn("changes");
const Json some_key = {{"pk", {{"S", "a"}}}};

/// A table `Music` with the hash key `pk` (S) whose changes go to a stream.
struct Recorded : Destinations {
  explicit Recorded(const Json& configuration = {}) {
    db.ok("CreateTable", on_demand());
    enable(arn, "Music", configuration);
  }

  void put(const Json& more = Json::object()) { db.put("Music", with(some_key, more)); }
  void remove() { db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", some_key}}); }

  /// The records of all changes so far.
  std::vector<PutRecord> records() {
    disable(arn);
    return streams.records(arn);
  }
  /// The names of their events.
  std::vector<std::string> events() {
    std::vector<std::string> names;
    for (const PutRecord& record : records()) names.push_back(record.json().at("eventName"));
    return names;
  }
};

using Events = std::vector<std::string>;

/// The items of a transaction with one action on the item.
Json transaction(std::string_view action, const Json& members) {
  return {{"TransactItems", Json::array({{{action, with(members, {{"TableName", "Music"}})}}})}};
}

/// The value with its binaries encoded once more, computed from typed JSON.
Json encoded_twice(const Json& value) {
  const auto encode = [](const Json& text) { return dinette::base::base64_encode(text.get<std::string>()); };
  const std::string type = value.begin().key();
  Json content = value.begin().value();
  if (type == "B") content = encode(content);
  if (type == "BS")
    for (Json& one : content) one = encode(one);
  if (type == "L" || type == "M")
    for (Json& one : content) one = encoded_twice(one);
  return {{type, content}};
}

}  // namespace

TEST_CASE("a record has the members of the service in their order") {
  Recorded t;
  t.db.clock().advance(123'456us);
  t.db.ok("PutItem", {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "test"}}}}}});
  const auto records = t.records();
  REQUIRE(records.size() == 1);
  const std::string id = records[0].json().at("eventID");
  CHECK(std::regex_match(id,
                         std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")));
  CHECK(records[0].data ==
        R"({"awsRegion":"us-east-1","eventID":")" + id +
            R"(","eventName":"INSERT","userIdentity":null,"recordFormat":"application/json",)"
            R"("tableName":"Music","dynamodb":{"ApproximateCreationDateTime":1791633600123,)"
            R"("Keys":{"pk":{"S":"test"}},"NewImage":{"pk":{"S":"test"}},"SizeBytes":12},)"
            R"("eventSource":"aws:dynamodb"})");
}

TEST_CASE("a record in microseconds says so in the last member") {
  Recorded t(Json({{"ApproximateCreationDateTimePrecision", "MICROSECOND"}}));
  t.db.clock().advance(123'456us);
  t.put();
  const auto records = t.records();
  REQUIRE(records.size() == 1);
  CHECK(records[0].data.find(R"("ApproximateCreationDateTime":1791633600123456,)") != std::string::npos);
  CHECK(records[0].data.find(R"("SizeBytes":6,"ApproximateCreationDateTimePrecision":"MICROSECOND"},)") !=
        std::string::npos);
}

TEST_CASE("milliseconds that were chosen on purpose are not mentioned") {
  Recorded t(Json({{"ApproximateCreationDateTimePrecision", "MILLISECOND"}}));
  t.put();
  const Json change = t.records().at(0).json().at("dynamodb");
  CHECK(change.at("ApproximateCreationDateTime") == 1'791'633'600'000);
  CHECK_FALSE(change.contains("ApproximateCreationDateTimePrecision"));
}

TEST_CASE("a new precision holds for the writes after its answer") {
  Recorded t;
  t.put();
  t.db.ok("UpdateKinesisStreamingDestination",
          with_precision(arn, "MICROSECOND", "UpdateKinesisStreamingConfiguration"));
  t.remove();
  const auto records = t.records();
  REQUIRE(records.size() == 2);
  CHECK(records[0].json().at("dynamodb").at("ApproximateCreationDateTime") == 1'791'633'600'000);
  CHECK(records[1].json().at("dynamodb").at("ApproximateCreationDateTime") == 1'791'633'600'000'000);
}

TEST_CASE("a record has the images that there are") {
  Recorded t;
  const Json one = with(some_key, {{"n", {{"N", "1"}}}});
  const Json two = with(some_key, {{"n", {{"N", "2"}}}});
  t.put({{"n", {{"N", "1"}}}});
  t.put({{"n", {{"N", "2"}}}});
  t.remove();
  const auto records = t.records();
  REQUIRE(records.size() == 3);
  const auto change = [&](std::size_t index) {
    Json members = records[index].json().at("dynamodb");
    members.erase("ApproximateCreationDateTime");
    return members;
  };
  CHECK(change(0) == Json{{"Keys", some_key}, {"NewImage", one}, {"SizeBytes", 9}});
  CHECK(change(1) == Json{{"Keys", some_key}, {"NewImage", two}, {"OldImage", one}, {"SizeBytes", 15}});
  CHECK(change(2) == Json{{"Keys", some_key}, {"OldImage", two}, {"SizeBytes", 9}});
  CHECK(records[1].data.find("NewImage") < records[1].data.find("OldImage"));
}

TEST_CASE("writes that change nothing make no record, unless a transaction puts or updates") {
  Recorded t;
  t.put();
  t.put();
  const Json update = {{"Key", some_key}, {"UpdateExpression", "REMOVE x"}};
  t.db.ok("UpdateItem", with(update, {{"TableName", "Music"}}));
  t.db.ok("BatchWriteItem",
          {{"RequestItems", {{"Music", Json::array({{{"PutRequest", {{"Item", some_key}}}}})}}}});
  t.db.ok("ExecuteStatement", {{"Statement", "UPDATE Music REMOVE x WHERE pk = 'a'"}});
  t.db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "none"}}}}}});
  Events expected = {"INSERT"};
  SECTION("ordinary writes") {}
  SECTION("TransactWriteItems with a Put") {
    t.db.ok("TransactWriteItems", transaction("Put", {{"Item", some_key}}));
    expected.push_back("MODIFY");
  }
  SECTION("TransactWriteItems with an Update") {
    t.db.ok("TransactWriteItems", transaction("Update", update));
    expected.push_back("MODIFY");
  }
  SECTION("ExecuteTransaction with an UPDATE") {
    t.db.ok("ExecuteTransaction",
            {{"TransactStatements", Json::array({{{"Statement", "UPDATE Music REMOVE x WHERE pk = 'a'"}}})}});
    expected.push_back("MODIFY");
  }
  SECTION("TransactWriteItems with a ConditionCheck, or a Delete of nothing") {
    t.db.ok(
        "TransactWriteItems",
        transaction("ConditionCheck", {{"Key", some_key}, {"ConditionExpression", "attribute_exists(pk)"}}));
    t.db.ok("TransactWriteItems", transaction("Delete", {{"Key", {{"pk", {{"S", "none"}}}}}}));
  }
  CHECK(t.events() == expected);
}

TEST_CASE("a MODIFY that changes nothing has equal images, and is not in the table's stream") {
  Destinations t;
  t.db.ok("CreateTable", with(on_demand(), {{"StreamSpecification",
                                             {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}}}}));
  t.enable(arn);
  for (int i = 0; i < 2; ++i) t.db.ok("TransactWriteItems", transaction("Put", {{"Item", some_key}}));
  t.disable(arn);
  const auto records = t.streams.records(arn);
  REQUIRE(records.size() == 2);
  const Json change = records[1].json().at("dynamodb");
  CHECK(change.at("NewImage") == change.at("OldImage"));
  const std::string stream = describe(t.db).at("LatestStreamArn");
  std::size_t in_stream = 0;
  const Json described = t.db.ok("DescribeStream", {{"StreamArn", stream}}).at("StreamDescription");
  for (const Json& shard : described.at("Shards")) {
    const Json iterator = t.db.ok(
        "GetShardIterator",
        {{"StreamArn", stream}, {"ShardId", shard.at("ShardId")}, {"ShardIteratorType", "TRIM_HORIZON"}});
    in_stream += t.db.ok("GetRecords", iterator).at("Records").size();
  }
  CHECK(in_stream == 1);
}

TEST_CASE("binary values are encoded twice, inside of lists and maps too") {
  Recorded t;
  t.put({{"b", {{"B", "AAH/"}}},
         {"set", {{"BS", Json::array({"AAH/", "AQ=="})}}},
         {"list", {{"L", Json::array({{{"M", {{"B", {{"B", "AAH/"}}}}}}})}}}});
  const Json image = t.records().at(0).json().at("dynamodb").at("NewImage");
  CHECK(image.at("b") == Json{{"B", "QUFILw=="}});
  CHECK(image.at("set") == Json{{"BS", Json::array({"QUFILw==", "QVE9PQ=="})}});
  CHECK(image.at("list") == Json{{"L", Json::array({{{"M", {{"B", {{"B", "QUFILw=="}}}}}}})}});
}

TEST_CASE("a binary key is encoded twice, and its record has the key's attributes") {
  Destinations t;
  t.db.create_table("Music", "B", "N");
  t.enable(arn);
  t.db.put("Music", {{"pk", {{"B", "AAH/"}}}, {"sk", {{"N", "7"}}}, {"other", {{"S", "x"}}}});
  t.disable(arn);
  CHECK(t.streams.records(arn).at(0).json().at("dynamodb").at("Keys") ==
        Json{{"pk", {{"B", "QUFILw=="}}}, {"sk", {{"N", "7"}}}});
}

TEST_CASE("random items are encoded twice as their values are") {
  Random random(dinette::test::random_seed());
  RequestMaker make(random);
  const std::vector<std::string> names = {"B", "BS", "\"B\":\"", "\"BS\":[\"", "b\"B", "S", "é", "\\\"B\":"};
  for (int round = dinette::test::rounds_of(2000); round > 0; --round) {
    Json item = Json::object();
    Json expected = Json::object();
    for (int attributes = 0; attributes < 6; ++attributes) {
      const std::string& name = one_of(random, names);
      Json value = make.attribute_value();
      if (pick(random, 3) == 0) value = {{"M", {{one_of(random, names), value}}}};
      if (pick(random, 3) == 0) value = {{"S", one_of(random, names)}};
      if (pick(random, 4) == 0) value = {{"BS", Json::array({"AAH/", "", "AQ=="})}};
      item[name] = value;
      expected[name] = encoded_twice(value);
    }
    std::string text;
    dinette::dynamodb::append_encoded_twice(text, item.dump());
    CHECK(Json::parse(text) == expected);
  }
}

TEST_CASE("an item whose time to live is over is deleted by the service") {
  Recorded t;
  t.db.ok("UpdateTimeToLive", {{"TableName", "Music"},
                               {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}});
  t.put({{"ends", {{"N", "1791633601"}}}});
  t.db.clock().advance(1h);
  t.db.jobs().run_due();
  const auto records = t.records();
  REQUIRE(records.size() == 2);
  CHECK(records[1].json().at("eventName") == "REMOVE");
  CHECK(records[1].data.find(
            R"("userIdentity":{"type":"Service","principalId":"dynamodb.amazonaws.com"},"recordFormat")") !=
        std::string::npos);
}

TEST_CASE("the changes of an item share a partition key of 32 digits") {
  Recorded t;
  t.put();
  t.put({{"n", {{"N", "1"}}}});
  t.remove();
  t.db.put("Music", {{"pk", {{"S", "b"}}}});
  const auto records = t.records();
  REQUIRE(records.size() == 4);
  CHECK(std::regex_match(records[0].partition_key, std::regex("[0-9A-F]{32}")));
  CHECK(records[1].partition_key == records[0].partition_key);
  CHECK(records[2].partition_key == records[0].partition_key);
  CHECK(records[3].partition_key != records[0].partition_key);
}

TEST_CASE("every way of writing makes records") {
  Recorded t;
  t.put();
  t.db.ok("UpdateItem", {{"TableName", "Music"},
                         {"Key", some_key},
                         {"UpdateExpression", "SET n = :n"},
                         {"ExpressionAttributeValues", {{":n", {{"N", "1"}}}}}});
  t.db.ok("ExecuteStatement", {{"Statement", "UPDATE Music SET n = 2 WHERE pk = 'a'"}});
  t.db.ok("BatchWriteItem",
          {{"RequestItems", {{"Music", Json::array({{{"DeleteRequest", {{"Key", some_key}}}}})}}}});
  t.db.ok("ExecuteStatement", {{"Statement", "INSERT INTO Music VALUE {'pk': 'a'}"}});
  t.db.ok("TransactWriteItems", transaction("Delete", {{"Key", some_key}}));
  CHECK(t.events() == Events{"INSERT", "MODIFY", "MODIFY", "REMOVE", "INSERT", "REMOVE"});
}

}  // namespace test::kinesis_records_test
