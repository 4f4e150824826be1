#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "dynamodb/one_item.h"
#include "dynamodb/streams/streams.h"

// docs/service/streams.md section 5, "Record".
namespace test::stream_records_test {

using namespace std::chrono_literals;

namespace {

using Changes = std::vector<Json>;

Json item(std::string_view text) {
  return Json::parse("{" + std::string(text) + "}");
}
Json change(std::string_view event, const Json& content) {
  return {{event, content}};
}
Json inserted(const Json& image) {
  return change("INSERT", {{"Keys", {{"pk", image.at("pk")}}}, {"NewImage", image}});
}
Json modified(const Json& before, const Json& after) {
  return change("MODIFY", {{"Keys", {{"pk", after.at("pk")}}}, {"NewImage", after}, {"OldImage", before}});
}
Json removed(const Json& image) {
  return change("REMOVE", {{"Keys", {{"pk", image.at("pk")}}}, {"OldImage", image}});
}

const Json bare = item(R"("pk": {"S": "a"})");
const Json with_one = item(R"("pk": {"S": "a"}, "n": {"N": "1"})");
const Json with_two = item(R"("pk": {"S": "a"}, "n": {"N": "2"})");

Json update_of(std::string_view expression, std::string_view values = "") {
  Json request = {{"TableName", "Music"}, {"Key", bare}};
  if (!expression.empty()) request["UpdateExpression"] = expression;
  if (!values.empty()) request["ExpressionAttributeValues"] = item(values);
  return request;
}

Json put_request(const Json& content) {
  return {{"PutRequest", {{"Item", content}}}};
}

}  // namespace

TEST_CASE("a stream record: all members") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.clock().advance(1999ms);
  put(db, "a", R"("n": {"N": "1.50"}, "b": {"B": "AAE="})");
  Json record = records(db, stream_arn(db)).at(0);
  const std::string id = record.at("eventID");
  CHECK(id.size() == 32);
  CHECK(id.find_first_not_of("0123456789abcdef") == std::string::npos);
  record.erase("eventID");
  const std::string number = record.at("dynamodb").at("SequenceNumber");
  CHECK(number.ends_with("000001048576"));  // all of it: sequence_number_test.cc
  CHECK(record == item(R"("eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb",
    "awsRegion": "us-east-1",
    "dynamodb": {"ApproximateCreationDateTime": 1791633601.0, "Keys": {"pk": {"S": "a"}},
                 "NewImage": {"pk": {"S": "a"}, "n": {"N": "1.5"}, "b": {"B": "AAE="}},
                 "SequenceNumber": ")" +
                       number + R"(", "SizeBytes": 13,
                 "StreamViewType": "NEW_AND_OLD_IMAGES"})"));
}

TEST_CASE("a stream record: what each view type shows") {
  const Json keys = {{"Keys", bare}};
  const Json new_one = with(keys, {{"NewImage", with_one}});
  const Json new_two = with(keys, {{"NewImage", with_two}});
  const Json old_one = with(keys, {{"OldImage", with_one}});
  const Json old_two = with(keys, {{"OldImage", with_two}});
  const std::map<std::string, Changes> expected = {
      {"KEYS_ONLY", {change("INSERT", keys), change("MODIFY", keys), change("REMOVE", keys)}},
      {"NEW_IMAGE", {change("INSERT", new_one), change("MODIFY", new_two), change("REMOVE", keys)}},
      {"OLD_IMAGE", {change("INSERT", keys), change("MODIFY", old_one), change("REMOVE", old_two)}},
      {"NEW_AND_OLD_IMAGES",
       {change("INSERT", new_one), modified(with_one, with_two), change("REMOVE", old_two)}},
  };
  for (const auto& [view_type, shown] : expected) {
    DynamoDb db;
    db.ok("CreateTable", with_stream(view_type));
    db.put("Music", with_one);
    db.put("Music", with_two);
    remove(db, "a");
    CAPTURE(view_type);
    CHECK(changes(db) == shown);
    const auto all = records(db, stream_arn(db));
    for (const Json& record : all) CHECK(record.at("dynamodb").at("StreamViewType") == view_type);
  }
}

TEST_CASE("a stream record: the sizes that were seen on the service") {
  struct Case {
    std::string view_type;
    std::vector<std::string> items;  ///< put one after the other, then the last one is deleted
    std::vector<int> sizes;
  };
  const std::string payload = R"("payload": {"S": ")" + std::string(22, 'x') + "\"}";
  const Case cases[] = {
      {"NEW_AND_OLD_IMAGES", {R"("pk": {"S": "Fred"})"}, {12, 12}},
      {"NEW_AND_OLD_IMAGES",
       {R"("pk": {"S": "Fred"})", R"("pk": {"S": "Fred"}, "name": {"S": "Fred"})"},
       {12, 26, 20}},
      {"KEYS_ONLY", {R"("pk": {"S": "ordered"}, )" + payload}, {9, 9}},
      {"NEW_AND_OLD_IMAGES",
       {R"("pk": {"S": "ordered"}, )" + payload + R"(, "n": {"N": "1"})",
        R"("pk": {"S": "ordered"}, )" + payload + R"(, "n": {"N": "2"})"},
       {50, 91, 50}},
  };
  for (const Case& one : cases) {
    DynamoDb db;
    db.ok("CreateTable", with_stream(one.view_type));
    for (const std::string& text : one.items) db.put("Music", item(text));
    remove(db, item(one.items.front()).at("pk").at("S").get<std::string>());
    std::vector<int> sizes;
    for (const Json& record : records(db, stream_arn(db)))
      sizes.push_back(record.at("dynamodb").at("SizeBytes"));
    CHECK(sizes == one.sizes);
  }
}

TEST_CASE("a stream record: a key of a number, as in AWS's own example") {
  using Sizes = std::vector<int>;
  for (const auto& [number, expected] : {std::pair("1", Sizes{24, 56, 36}), {"101", Sizes{26, 59, 38}}}) {
    DynamoDb db;
    db.ok("CreateTable",
          with(with_stream(), {{"KeySchema", Json::array({key("Id", "HASH")})},
                               {"AttributeDefinitions", Json::array({attribute("Id", "N")})}}));
    const Json id = {{"N", number}};
    db.put("Music", {{"Id", id}, {"Message", {{"S", "New item!"}}}});
    db.put("Music", {{"Id", id}, {"Message", {{"S", "This item has changed"}}}});
    db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"Id", id}}}});
    Sizes sizes;
    for (const Json& record : records(db, stream_arn(db)))
      sizes.push_back(record.at("dynamodb").at("SizeBytes"));
    CHECK(sizes == expected);
  }
}

TEST_CASE("a stream record: its region is the one that is called") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  put(db, "a");
  const std::string arn = stream_arn(db);
  const Json request = {{"ShardIterator", iterator(db, arn, shard_ids(db, arn).front())}};
  const std::string authorization =
      "AWS4-HMAC-SHA256 Credential=key/20261010/eu-west-1/dynamodb/aws4_request, "
      "SignedHeaders=host;x-amz-date, Signature=0";
  const Reply reply =
      db.call("GetRecords", request, {{"Authorization", authorization}, {"X-Amz-Date", "20261010T120000Z"}});
  CHECK(reply.json().at("Records").at(0).at("awsRegion") == "eu-west-1");
}

TEST_CASE("a stream record: keys of two attributes are both there") {
  DynamoDb db;
  db.ok("CreateTable",
        with(with_range(),
             with(stream_setting(true, "KEYS_ONLY"),
                  {{"AttributeDefinitions", Json::array({attribute("pk", "S"), attribute("sk", "S")})}})));
  db.put("Music", {{"sk", {{"S", "2"}}}, {"pk", {{"S", "1"}}}, {"a", {{"S", "3"}}}});
  const auto all = records(db, stream_arn(db));
  REQUIRE(all.size() == 1);
  CHECK(all[0].at("dynamodb").at("Keys") == item(R"("pk": {"S": "1"}, "sk": {"S": "2"})"));
}

TEST_CASE("a stream record: each write that changes something has one, no other write") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const Json both =
      item(R"("pk": {"S": "a"}, "m": {"M": {"x": {"N": "1"}, "y": {"SS": ["p", "q"]}}}, "n": {"N": "1"})");
  db.put("Music", both);
  // The same by value.
  db.ok(
      "PutItem",
      R"({"TableName": "Music", "Item": {"n": {"N": "1.0"}, "m": {"M": {"y": {"SS": ["q", "p"]}, "x": {"N": "1"}}}, "pk": {"S": "a"}}})"_json);
  db.ok("UpdateItem", update_of("REMOVE nothing_there"));
  db.ok("UpdateItem", update_of("SET n = :n", R"(":n": {"N": "1"})"));
  db.ok("UpdateItem", update_of("ADD n :z", R"(":z": {"N": "0"})"));
  db.ok("UpdateItem", update_of(""));
  db.ok("UpdateItem",
        {{"TableName", "Music"}, {"Key", bare}, {"AttributeUpdates", {{"gone", {{"Action", "DELETE"}}}}}});
  remove(db, "missing");
  db.ok("UpdateItem",
        {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "other"}}}}}, {"UpdateExpression", "REMOVE x"}});
  db.ok("BatchWriteItem", {{"RequestItems", {{"Music", Json::array({put_request(both)})}}}});
  db.ok("TransactWriteItems",
        {{"TransactItems", Json::array({{{"Put", {{"TableName", "Music"}, {"Item", both}}}}})}});
  db.ok("BatchWriteItem",
        {{"RequestItems",
          {{"Music", Json::array({{{"DeleteRequest", {{"Key", item(R"("pk": {"S": "missing"})")}}}}})}}}});
  const Json update = update_of("SET n = :n", R"(":n": {"N": "1"})");
  const Json missing = {{"TableName", "Music"}, {"Key", item(R"("pk": {"S": "missing"})")}};
  db.ok("TransactWriteItems",
        {{"TransactItems", Json::array({{{"Update", update}}, {{"Delete", missing}}})}});
  CHECK(changes(db) == Changes{inserted(both)});

  // A put over it is one change, also if attributes vanish.
  db.put("Music", bare);
  db.put("Music", bare);
  CHECK(changes(db) == Changes{inserted(both), modified(both, bare)});
}

TEST_CASE("a stream record: updates show the whole item") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.ok("UpdateItem", update_of(""));
  db.ok("UpdateItem", update_of("SET n = :n", R"(":n": {"N": "1"})"));
  db.ok("UpdateItem", update_of("SET n = n + :n", R"(":n": {"N": "1"})"));
  db.ok("UpdateItem", update_of("REMOVE n"));
  remove(db, "a");
  CHECK(changes(db) == Changes{inserted(bare), modified(bare, with_one), modified(with_one, with_two),
                               modified(with_two, bare), removed(bare)});
}

TEST_CASE("a stream record: a write that is refused has none") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.put("Music", with_one);
  CHECK(db.call("PutItem", Json{{"TableName", "Music"},
                                {"Item", with_two},
                                {"ConditionExpression", "attribute_not_exists(pk)"}})
            .error() == "ConditionalCheckFailedException");
  const Json failing = {
      {"ConditionCheck",
       {{"TableName", "Music"}, {"Key", bare}, {"ConditionExpression", "attribute_not_exists(pk)"}}}};
  const Json good = {{"Put", {{"TableName", "Music"}, {"Item", item(R"("pk": {"S": "b"})")}}}};
  CHECK(db.call("TransactWriteItems", Json{{"TransactItems", Json::array({good, failing})}}).error() ==
        "TransactionCanceledException");
  CHECK(changes(db) == Changes{inserted(with_one)});
}

TEST_CASE("a stream record: batches and transactions, in the order of the request") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.ok("CreateTable", provisioned("Silent"));
  const Json b = item(R"("pk": {"S": "b"})");
  const Json c = item(R"("pk": {"S": "c"})");
  db.put("Music", b);
  db.ok("BatchWriteItem",
        {{"RequestItems",
          {{"Music", Json::array({put_request(c), {{"DeleteRequest", {{"Key", b}}}}, put_request(bare)})},
           {"Silent", Json::array({put_request(c)})}}}});
  db.ok("TransactWriteItems",
        {{"TransactItems", Json::array({{{"Delete", {{"TableName", "Music"}, {"Key", c}}}},
                                        {{"Put", {{"TableName", "Silent"}, {"Item", bare}}}},
                                        {{"Put", {{"TableName", "Music"}, {"Item", b}}}},
                                        {{"Update",
                                          {{"TableName", "Music"},
                                           {"Key", bare},
                                           {"UpdateExpression", "SET n = :n"},
                                           {"ExpressionAttributeValues", {{":n", {{"N", "1"}}}}}}}}})}});
  CHECK(changes(db) == Changes{inserted(b), inserted(c), removed(b), inserted(bare), removed(c), inserted(b),
                               modified(bare, with_one)});
}

TEST_CASE("a stream record: a transaction that is repeated by its token has no second one") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const Json request = {
      {"ClientRequestToken", "token"},
      {"TransactItems", Json::array({{{"Update",
                                       {{"TableName", "Music"},
                                        {"Key", bare},
                                        {"UpdateExpression", "ADD n :n"},
                                        {"ExpressionAttributeValues", {{":n", {{"N", "1"}}}}}}}}})}};
  db.ok("TransactWriteItems", request);
  db.ok("TransactWriteItems", request);
  CHECK(changes(db) == Changes{inserted(with_one)});
}

TEST_CASE("a stream record: statements have those of the matching write") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  for (const char* statement :
       {"INSERT INTO Music VALUE {'pk': 'a', 'n': 1}", "UPDATE Music SET n = 2 WHERE pk = 'a'",
        "UPDATE Music SET n = 2 WHERE pk = 'a'", "DELETE FROM Music WHERE pk = 'a'",
        "DELETE FROM Music WHERE pk = 'a'"}) {
    db.ok("ExecuteStatement", {{"Statement", statement}});
  }
  CHECK(changes(db) == Changes{inserted(with_one), modified(with_one, with_two), removed(with_two)});
}

TEST_CASE("a stream record: statements of a batch and of a transaction, in the order of the request") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.ok("BatchExecuteStatement",
        {{"Statements", Json::array({{{"Statement", "INSERT INTO Music VALUE {'pk': 'b'}"}},
                                     {{"Statement", "INSERT INTO Music VALUE {'pk': 'a'}"}}})}});
  db.ok("ExecuteTransaction",
        {{"TransactStatements", Json::array({{{"Statement", "DELETE FROM Music WHERE pk = 'b'"}},
                                             {{"Statement", "UPDATE Music SET n = 1 WHERE pk = 'a'"}}})}});
  const Json b = item(R"("pk": {"S": "b"})");
  CHECK(changes(db) == Changes{inserted(b), inserted(bare), removed(b), modified(bare, with_one)});
}

TEST_CASE("a stream record: indexes add nothing to images") {
  DynamoDb db;
  const Json index = index_on("byA", Json::array({key("a", "HASH")}));
  db.ok("CreateTable",
        with(on_demand(),
             with(stream_setting(true, "NEW_AND_OLD_IMAGES"),
                  {{"GlobalSecondaryIndexes", Json::array({index})},
                   {"AttributeDefinitions", Json::array({attribute("pk", "S"), attribute("a", "S")})}})));
  const Json in_index = item(R"("pk": {"S": "a"}, "a": {"S": "x"}, "z": {"N": "1"})");
  db.put("Music", in_index);
  db.put("Music", bare);
  CHECK(changes(db) == Changes{inserted(in_index), modified(in_index, bare)});
}

TEST_CASE("a stream record: the changes of one partition are in one shard of four, in order") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), stream_setting(true, "NEW_IMAGE")));
  constexpr int partitions = 50;
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < partitions; ++i)
      put(db, std::to_string(i), R"("n": {"N": ")" + std::to_string(round) + "\"}");
  }
  const std::string arn = stream_arn(db);
  std::map<std::string, std::set<std::string>> shards_of;
  std::map<std::string, std::string> order;
  std::set<std::string> event_ids;
  int shards_with_records = 0;
  for (const std::string& shard : shard_ids(db, arn)) {
    const Json listed = page(db, iterator(db, arn, shard)).at("Records");
    if (!listed.empty()) ++shards_with_records;
    for (const Json& record : listed) {
      const std::string pk = record.at("dynamodb").at("Keys").at("pk").at("S");
      shards_of[pk].insert(shard);
      order[pk] += record.at("dynamodb").at("NewImage").at("n").at("N").get<std::string>();
      event_ids.insert(record.at("eventID"));
    }
  }
  CHECK(shards_with_records == 4);
  CHECK(event_ids.size() == 3 * partitions);
  CHECK(order.size() == partitions);
  for (const auto& [pk, rounds] : order) CHECK(rounds == "123");
  for (const auto& [pk, shards] : shards_of) CHECK(shards.size() == 1);
}

TEST_CASE("a stream record of the largest item, in long numbers", "[volume]") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  Json numbers = Json::array();
  for (int i = 0; i < 130'000; ++i) numbers.push_back({{"N", "1E125"}});
  Json large = bare;
  large["l"] = {{"L", numbers}};
  db.put("Music", large);
  large["l"]["L"].back() = {{"N", "1"}};
  db.put("Music", large);
  const auto all = records(db, stream_arn(db));
  REQUIRE(all.size() == 2);
  CHECK(all[1].at("dynamodb").at("NewImage").at("l").at("L").size() == 130'000);
}

}  // namespace test::stream_records_test
