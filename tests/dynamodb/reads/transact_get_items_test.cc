#include <string>
#include <vector>

#include "dynamodb/writes/transactions.h"

// docs/service/transactions.md sections 1 to 5; capacity.md section 4.
namespace test::transact_get_items_test {
namespace {

struct Tables {
  DynamoDb db;
  Tables() {
    db.create_table("Tab");
    db.create_table("Other");
    db.put("Tab", Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "1"}, "y": {"M": {"z": {"S": "in"}}}})"));
    db.put("Other", Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "2"}})"));
  }
  Reply get(std::initializer_list<std::string_view> actions) {
    return db.call("TransactGetItems", transaction(actions));
  }
};

const std::string no_match = "ValidationError: The provided key element does not match the schema";
const std::string get_a = R"({"Get": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}}})";

}  // namespace

TEST_CASE("items come in the order of the actions, an empty object for none or for an empty projection") {
  Tables t;
  const Json reply = t.db.ok(
      "TransactGetItems",
      transaction({R"({"Get": {"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/Other",
                 "Key": {"pk": {"S": "a"}}}})",
                   R"({"Get": {"TableName": "Tab", "Key": {"pk": {"S": "none"}}}})",
                   R"({"Get": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "y.#z",
                 "ExpressionAttributeNames": {"#z": "z"}}})"}));
  CHECK(
      reply ==
      Json::parse(
          R"({"Responses": [{"Item": {"pk": {"S": "a"}, "x": {"N": "2"}}}, {}, {"Item": {"y": {"M": {"z": {"S": "in"}}}}}]})"));
  CHECK(t.db.ok("TransactGetItems", transaction({R"({"Get": {"TableName": "Tab", "Key": {"pk": {"S": "a"}},
                     "ProjectionExpression": "nope"}})"})) == Json::parse(R"({"Responses": [{}]})"));
}

TEST_CASE("a key that does not fit cancels, an empty one refuses") {
  Tables t;
  CHECK(cancellation(t.get({get_a, R"({"Get": {"TableName": "Tab", "Key": {}}})"})) ==
        cancelled({"None", no_match}));
  CHECK(cancellation(t.get({R"({"Get": {"TableName": "Tab", "Key": {"pk": {"N": "1"}}}})",
                            R"({"Get": {"TableName": "Tab", "Key": {}}})"})) ==
        cancelled({no_match, "None"}));
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty string value. Key: pk";
  const std::string get_empty = R"({"Get": {"TableName": "Tab", "Key": {"pk": {"S": ""}}}})";
  CHECK(t.get({get_a, get_empty}).refusal() == empty);
  CHECK(t.get({R"({"Get": {"TableName": "Tab", "Key": {}}})", get_empty}).refusal() == empty);
}

TEST_CASE("what is wrong whatever the tables are comes before unknown tables, these before one item twice") {
  Tables t;
  const std::string unknown = R"({"Get": {"TableName": "Unknown", "Key": {}}})";
  CHECK(t.get({get_a, get_a}).refusal() ==
        "Transaction request cannot include multiple operations on one item");
  const Reply missing = t.get({get_a, get_a, unknown});
  CHECK(missing.error() == "ResourceNotFoundException");
  CHECK(missing.message() == "Requested resource not found");
  CHECK(t.get({unknown, R"({"Get": {"TableName": "Tab", "Key": {}, "ProjectionExpression": "a,"}})"})
            .refusal() == "Invalid ProjectionExpression: Syntax error; token: \"<EOF>\", near: \",\"");
  CHECK(cancellation(t.get({get_a, get_a, R"({"Get": {"TableName": "Tab", "Key": {}}})"})) ==
        cancelled({"None", "None", no_match}));
  CHECK(t.get({unknown,
               R"({"Get": {"TableName": "Tab", "Key": {}, "ProjectionExpression": "a",
                  "ExpressionAttributeNames": {"#b": "b"}}})"})
            .refusal() == "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
}

TEST_CASE("the model's constraints of TransactGetItems") {
  Tables t;
  const auto refusal = [&](const Json& request) { return t.db.call("TransactGetItems", request).refusal(); };
  CHECK(
      refusal({{"TransactItems", Json::array()}}) ==
      enveloped("Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater "
                "than or equal to 1"));
  const std::string too_many = refusal({{"TransactItems", Json(101, Json::parse(get_a))}});
  CHECK(too_many.starts_with(enveloped("Value '[")));
  CHECK(
      too_many.ends_with("]' at 'transactItems' failed to satisfy constraint: Member must have length less "
                         "than or equal to 100"));
  CHECK(refusal(transaction({get_a, R"({"Get": {"TableName": "b!", "Key": {}}})"})) ==
        enveloped(
            "Value 'b!' at 'transactItems.2.member.get.tableName' failed to satisfy constraint: Member must "
            "satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  CHECK(refusal(transaction({R"({})"})) == enveloped("Value null at 'transactItems.1.member.get' failed to "
                                                     "satisfy constraint: Member must not be null"));
}

// How the service refuses it is not known (docs/differences.md).
TEST_CASE("a transaction reads 4 MB at most") {
  Tables t;
  Json request = {{"TransactItems", Json::array()}};
  for (int i = 0; i < 11; ++i) {
    const std::string pk = std::to_string(i);
    t.db.put("Tab", Json{{"pk", {{"S", pk}}}, {"x", {{"S", std::string(400'000, 'x')}}}});
    request["TransactItems"].push_back({{"Get", {{"TableName", "Tab"}, {"Key", key_of(pk)}}}});
  }
  CHECK(t.db.call("TransactGetItems", request).refusal() == "Transaction payload size cannot exceed 4MB.");
  request["TransactItems"].erase(10);
  CHECK(t.db.call("TransactGetItems", request).status == 200);
}

TEST_CASE("each item costs twice a consistent read, a missing one as much as the smallest") {
  Tables t;
  t.db.put("Tab", Json{{"pk", {{"S", "big"}}}, {"x", {{"S", std::string(4097 - 5 - 1, 'x')}}}});
  Json request = transaction(
      {get_a, R"({"Get": {"TableName": "Tab", "Key": {"pk": {"S": "none"}}}})",
       R"({"Get": {"TableName": "Tab", "Key": {"pk": {"S": "big"}}, "ProjectionExpression": "pk"}})"});
  request["ReturnConsumedCapacity"] = "INDEXES";
  CHECK(
      t.db.ok("TransactGetItems", request)["ConsumedCapacity"] ==
      Json::parse(
          R"([{"TableName": "Tab", "CapacityUnits": 8.0, "ReadCapacityUnits": 8.0, "Table": {"CapacityUnits": 8.0, "ReadCapacityUnits": 8.0}}])"));
}

}  // namespace test::transact_get_items_test
