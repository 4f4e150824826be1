#include <algorithm>
#include <map>

#include "support/random_requests.h"

namespace test {

using dinette::aws::Kind;
using dinette::aws::Member;
using dinette::aws::Shape;

namespace {

constexpr int deepest_value = 3;
constexpr std::int64_t longest_text = 40;
constexpr std::int64_t longest_list = 3;

// Of 100 optional members this many are given.
constexpr std::size_t optional_given = 30;

// Of 100 requests this many have members that also go together.
constexpr std::size_t tidied = 70;

const std::vector<std::string> tables = {"Music", "Numbers"};
const std::vector<std::string> attribute_names = {"pk", "sk", "a", "b", "things", "tree", "n"};
const std::vector<std::string> base64 = {"", "AA==", "AAE=", "AAEC", "/+8="};
const std::vector<std::string> updates = {"SET a = :v", "REMOVE b", "ADD n :v", "SET #n = :v, b = pk",
                                          "SET things[0] = if_not_exists(a, :v)"};
const std::vector<std::string> conditions = {"attribute_exists(pk)", "a = :v", "NOT (a < :v OR size(b) > :v)",
                                             "#n IN (:v)", "begins_with(a, :v) AND a BETWEEN :v AND :v"};
const std::vector<std::string> projections = {"a", "a, #n", "tree.x.y, things[1]", "pk"};

// The stream of the table `Music`, if that is enabled on the tests' clock after `Music` and `Numbers` were
// made.
const std::string stream_arn =
    "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/2026-10-10T12:00:00.000";
const std::string shard_id = "shardId-00000001791633600000-596be2d4";
const std::string shard_iterator = stream_arn + "|1|AAAAAAAAAAMAAAGhJa8uAAAAAAAAAAAAAAAAAA==";

/// Requests whose members go together too closely to be found by chance.
const std::map<std::string_view, const char*> known_good = {
    {"BatchGetItem",
     R"({"RequestItems": {"Music": {"Keys": [{"pk": {"S": "a"}}], "ConsistentRead": true}}})"},
    {"BatchWriteItem", R"({"RequestItems": {"Music": [{"PutRequest": {"Item": {"pk": {"S": "a"}}}},
                                                      {"DeleteRequest": {"Key": {"pk": {"S": "b"}}}}]}})"},
    {"ExecuteStatement",
     R"({"Statement": "SELECT * FROM \"Music\" WHERE pk = ?", "Parameters": [{"S": "a"}]})"},
    {"ExecuteTransaction",
     R"({"TransactStatements": [{"Statement": "SELECT * FROM \"Music\" WHERE pk = 'a'"}]})"},
    {"ListTagsOfResource", R"({"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Music"})"},
    {"PutResourcePolicy",
     R"({"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Music", "Policy": "{)"
     R"(\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Allow\", )"
     R"(\"Principal\": {\"AWS\": \"000000000000\"}, \"Action\": \"dynamodb:GetItem\", )"
     R"(\"Resource\": \"arn:aws:dynamodb:us-east-1:000000000000:table/Music\"}]}"})"},
    {"Query", R"({"TableName": "Numbers", "KeyConditionExpression": "pk = :v AND #sk > :w", "Limit": 3,
                  "ExpressionAttributeNames": {"#sk": "sk"},
                  "ExpressionAttributeValues": {":v": {"N": "1"}, ":w": {"B": "AA=="}}})"},
    {"Scan", R"({"TableName": "Music", "FilterExpression": "size(a) < :v", "Segment": 0, "TotalSegments": 2,
                 "ExpressionAttributeValues": {":v": {"N": "9"}}})"},
    {"TagResource", R"({"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Music",
                        "Tags": [{"Key": "team", "Value": "a"}]})"},
    {"TransactGetItems",
     R"({"TransactItems": [{"Get": {"TableName": "Music", "Key": {"pk": {"S": "a"}}}}]})"},
    {"TransactWriteItems", R"json({"TransactItems": [
        {"Put": {"TableName": "Music", "Item": {"pk": {"S": "p"}}}},
        {"Update": {"TableName": "Music", "Key": {"pk": {"S": "u"}}, "UpdateExpression": "ADD n :v",
                    "ExpressionAttributeValues": {":v": {"N": "1"}}}},
        {"ConditionCheck": {"TableName": "Music", "Key": {"pk": {"S": "c"}},
                            "ConditionExpression": "attribute_not_exists(b)"}}]})json"},
    {"UntagResource",
     R"({"ResourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/Music", "TagKeys": ["team"]})"},
};

}  // namespace

bool is_item(const Shape& shape) {
  return shape.kind == Kind::map && shape.element->kind == Kind::variant;
}

std::size_t pick(Random& random, std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
}

Json RequestMaker::request(const dinette::aws::Operation& operation) {
  Json made = structure(operation.input);
  if (pick(random_, 100) >= tidied) return made;
  if (const auto known = known_good.find(operation.name); known != known_good.end()) {
    return Json::parse(known->second);
  }
  if (made.contains("Item") || made.contains("Key")) tidy_item_request(made);
  if (operation.name == "CreateTable") tidy_table(made);
  if (operation.name == "GetShardIterator") tidy_place(made);
  return made;
}

/// Of the two styles keeps one, of the placeholders those that are used, and gives the table the key that it
/// wants.
void RequestMaker::tidy_item_request(Json& request) {
  std::string expressions;
  for (const char* name : {"ConditionExpression", "UpdateExpression", "ProjectionExpression"}) {
    expressions += request.value(name, "");
  }
  for (const char* legacy : {"Expected", "AttributeUpdates", "ConditionalOperator", "AttributesToGet"}) {
    request.erase(legacy);
  }
  request.erase("ExpressionAttributeNames");
  request.erase("ExpressionAttributeValues");
  if (expressions.find('#') != std::string::npos) request["ExpressionAttributeNames"] = {{"#n", "n"}};
  if (expressions.find(':') != std::string::npos)
    request["ExpressionAttributeValues"] = {{":v", {{"N", "5"}}}};
  if (request.contains("ReturnValues")) request["ReturnValues"] = "NONE";
  Json& key = request.contains("Item") ? request["Item"] : request["Key"];
  if (key.contains("sk") && request.contains("Key")) {
    request["TableName"] = "Numbers";
    return;
  }
  request["TableName"] = "Music";
  key["pk"] = {{"S", one_of(random_, attribute_names)}};
}

/// A table with a key and on-demand billing, and nothing that would not go with them.
void RequestMaker::tidy_table(Json& request) {
  request = {{"TableName", "New" + std::to_string(random_())},
             {"BillingMode", "PAY_PER_REQUEST"},
             {"KeySchema", Json::array({{{"AttributeName", "pk"}, {"KeyType", "HASH"}}})},
             {"AttributeDefinitions", Json::array({{{"AttributeName", "pk"}, {"AttributeType", "S"}}})}};
}

/// A place in a shard that has no number.
void RequestMaker::tidy_place(Json& request) {
  request["ShardIteratorType"] = "TRIM_HORIZON";
  request.erase("SequenceNumber");
}

Json RequestMaker::structure(std::span<const Member> members) {
  Json made = Json::object();
  for (const Member& one : members) {
    if (one.required || pick(random_, 100) < optional_given) made[std::string(one.name)] = member(one);
  }
  return made;
}

Json RequestMaker::member(const Member& member) {
  if (member.name == "TableName") return one_of(random_, tables);
  if (member.name == "UpdateExpression") return one_of(random_, updates);
  if (member.name == "ConditionExpression") return one_of(random_, conditions);
  if (member.name == "ProjectionExpression") return one_of(random_, projections);
  if (member.name == "StreamArn" || member.name == "ExclusiveStartStreamArn") return stream_arn;
  if (member.name == "ShardId") return shard_id;
  if (member.name == "ShardIterator") return shard_iterator;
  if (member.name == "ExpressionAttributeNames") return {{"#n", one_of(random_, attribute_names)}};
  if (member.name == "Key" && is_item(*member.shape)) {
    const bool numbers = pick(random_, 2) == 0;
    if (numbers) return {{"pk", {{"N", number()}}}, {"sk", {{"B", one_of(random_, base64)}}}};
    return {{"pk", {{"S", one_of(random_, attribute_names)}}}};
  }
  return value(*member.shape);
}

Json RequestMaker::value(const Shape& shape) {
  const auto least = std::max<std::int64_t>(shape.bounds.min, 0);
  switch (shape.kind) {
    case Kind::string:
      return text(shape);
    case Kind::blob:
      return one_of(random_, base64);
    case Kind::boolean:
      return pick(random_, 2) == 0;
    case Kind::integer:
    case Kind::long_integer:
      return least + static_cast<std::int64_t>(pick(
                         random_, std::min<std::size_t>(10, static_cast<std::size_t>(std::min<std::int64_t>(
                                                                shape.bounds.max - least, 100)) +
                                                                1)));
    case Kind::floating:
    case Kind::timestamp:
      return 1.5;
    case Kind::structure:
      return structure(shape.members);
    case Kind::variant:
      return attribute_value();
    case Kind::list: {
      Json list = Json::array();
      const auto size =
          std::min(shape.bounds.max, least + static_cast<std::int64_t>(pick(random_, longest_list)));
      while (static_cast<std::int64_t>(list.size()) < size) list.push_back(value(*shape.element));
      return list;
    }
    case Kind::map: {
      if (is_item(shape)) return item(shape.name == "Values");
      Json map = Json::object();
      map[one_of(random_, attribute_names)] = value(*shape.element);
      return map;
    }
  }
  return nullptr;
}

std::string RequestMaker::text(const Shape& shape) {
  if (shape.values) return std::string(one_of(random_, shape.values->accepted));
  const auto least = std::max<std::int64_t>(shape.bounds.min, 1);
  const auto size =
      std::min(shape.bounds.max, least + static_cast<std::int64_t>(pick(random_, longest_text)));
  std::string made(static_cast<std::size_t>(size), 'a');
  for (char& c : made) c = static_cast<char>('a' + pick(random_, 26));
  return made;
}

std::string RequestMaker::number() {
  return std::to_string(static_cast<std::int64_t>(random_())) + "e" + std::to_string(pick(random_, 60));
}

Json RequestMaker::item(bool placeholders) {
  Json made = Json::object();
  if (!placeholders) made["pk"] = {{"S", one_of(random_, attribute_names)}};
  const std::size_t size = 1 + pick(random_, 4);
  while (made.size() < size) {
    made[placeholders ? ":v" + std::to_string(made.size()) : one_of(random_, attribute_names)] =
        attribute_value();
  }
  return made;
}

Json RequestMaker::attribute_value(int depth) {
  switch (pick(random_, depth < deepest_value ? 10 : 8)) {
    case 0:
      return {{"S", std::string(pick(random_, 20), 's')}};
    case 1:
      return {{"N", number()}};
    case 2:
      return {{"B", one_of(random_, base64)}};
    case 3:
      return {{"BOOL", pick(random_, 2) == 0}};
    case 4:
      return {{"NULL", true}};
    case 5:
      return {{"SS", Json::array({"a", "b"})}};
    case 6:
      return {{"NS", Json::array({"1", number()})}};
    case 7:
      return {{"BS", Json::array({"AA=="})}};
    case 8:
      return {{"L", Json::array({attribute_value(depth + 1), attribute_value(depth + 1)})}};
    default:
      return {{"M", {{"x", attribute_value(depth + 1)}}}};
  }
}

}  // namespace test
