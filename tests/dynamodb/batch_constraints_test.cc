#include "dynamodb/batch.h"

// Violated constraints of batches and how they repeat the request (docs/service/batch.md, names-limits.md
// sections 3, 5 and 7).
namespace test::batch_constraints_test {
namespace {

/// A message of the model. `value` is as printed, strings in quotes; empty: not printed.
std::string violated(const std::string& value, const std::string& member, const std::string& rule) {
  return "Value " + value + (value.empty() ? "" : " ") + "at '" + member +
         "' failed to satisfy constraint: " + rule;
}

const std::string bad_keys =
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have "
    "length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";
const std::string bad_length =
    "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have "
    "length greater than or equal to 1]";
const std::string bad_capacity =
    violated("'BAD'", "returnConsumedCapacity", "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]");
const std::string bad_metrics =
    violated("'BAD'", "returnItemCollectionMetrics", "Member must satisfy enum value set: [SIZE, NONE]");

std::string two(const std::string& first, const std::string& second) {
  return "2 validation errors detected: " + first + "; " + second;
}

/// The attribute value as the older generation prints it, with the members that are set.
std::string printed(const std::string& set, const std::string& text) {
  std::string all = "AttributeValue(";
  for (const std::string name : {"s", "n", "b", "iNT", "dECIMAL", "dOUBLE", "sS", "nS", "bS", "iNTSET",
                                 "dECIMALSET", "dOUBLESET", "m", "l", "nULL", "bOOL"}) {
    all += (all.back() == '(' ? "" : ", ") + name + "=" + (name == set ? text : "null");
  }
  return all + ")";
}

std::string printed_put(const std::string& item) {
  return "WriteRequest(putRequest=PutRequest(item={" + item +
         "}, workloadProfileName=null), deleteRequest=null)";
}

void refused(std::string_view operation, const std::string& body, const std::string& message) {
  DynamoDb db;
  INFO(operation << " " << body.substr(0, 500));
  CHECK(db.call(operation, body).refusal() == message);
}

const std::string one_key = R"({"Keys":[{"pk":{"S":"a"}}]})";

}  // namespace

TEST_CASE("RequestItems of BatchGetItem is neither missing nor empty nor too large") {
  const auto of_size = [](const std::string& rule) { return enveloped(violated("", "RequestItems", rule)); };
  refused("BatchGetItem", "{}", enveloped(violated("null", "requestItems", "Member must not be null")));
  refused("BatchGetItem", R"({"RequestItems":{}})",
          of_size("Member must have length greater than or equal to 1"));
  Json many = Json::object();
  for (int i = 0; i <= 100; ++i) many["Table" + std::to_string(i)] = Json::parse(one_key);
  refused("BatchGetItem", batch(many).dump(), of_size("Member must have length less than or equal to 100"));
}

TEST_CASE("Keys of a table of BatchGetItem are 1 to 100") {
  const auto of_size = [](const std::string& rule) {
    return enveloped(violated("", "RequestItems.Tab.member.Keys", rule));
  };
  refused("BatchGetItem", R"({"RequestItems":{"Tab":{"Keys":[]}}})",
          of_size("Member must have length greater than or equal to 1"));
  refused("BatchGetItem", batch({{"Tab", {{"Keys", numbered_keys(101)}}}}).dump(),
          of_size("Member must have length less than or equal to 100"));
  refused("BatchGetItem", R"({"RequestItems":{"Tab":{}}})",
          enveloped(violated("null", "requestItems.Tab.member.keys", "Member must not be null")));
}

TEST_CASE("a bad table name in BatchGetItem repeats the request as compact JSON") {
  for (const std::string& name : {std::string("bad!name"), std::string("ab"), std::string(256, 'x'),
                                  std::string("arn:aws:dynamodb:us-east-1:1:table/ab")}) {
    const std::string map = R"({")" + name + R"(":)" + one_key + "}";
    const std::string spaced = R"({ ")" + name + R"(": {"Keys": [ {"pk": {"S": "a"} } ] } })";
    const std::string message = violated("'" + map + "'", "requestItems", bad_keys);
    refused("BatchGetItem", R"({"RequestItems": )" + spaced + "}", enveloped(message));
    refused("BatchGetItem", R"({"ReturnConsumedCapacity": "BAD", "RequestItems": )" + spaced + "}",
            two(message, bad_capacity));
  }
}

TEST_CASE("BatchWriteItem without anything to write is refused") {
  refused("BatchWriteItem", "{}", enveloped(violated("null", "requestItems", "Member must not be null")));
  refused("BatchWriteItem", R"({"RequestItems":{}})",
          "The requestItems parameter is required for BatchWriteItem");
  refused("BatchWriteItem", R"({"RequestItems":{"Tab":[]}})",
          enveloped(violated("'{Tab=[]}'", "requestItems", bad_length)));
  refused(
      "BatchWriteItem", R"({"RequestItems":{"Tab":[{"PutRequest":{}},{"DeleteRequest":{}}]}})",
      two(violated("null", "requestItems.Tab.member.1.member.putRequest.item", "Member must not be null"),
          violated("null", "requestItems.Tab.member.2.member.deleteRequest.key", "Member must not be null")));
}

TEST_CASE("more than 25 writes to one table repeat the request as the service's own classes print it") {
  std::string all;
  for (int i = 1; i <= 26; ++i)
    all += (i > 1 ? ", " : "") + printed_put("pk=" + printed("s", std::to_string(i)));
  refused("BatchWriteItem", batch({{"Tab", numbered_puts(26)}}).dump(),
          enveloped(violated("'{Tab=[" + all + "]}'", "requestItems", bad_length)));
}

TEST_CASE("a bad table name in BatchWriteItem repeats the request likewise, values of every type") {
  const std::vector<std::pair<std::string, std::string>> values = {
      {R"({"S":"x"})", printed("s", "x")},
      {R"({"N":"1.0"})", printed("n", "1.0")},
      {R"({"B":"AA=="})", printed("b", "AA==")},
      {R"({"SS":["a","b"]})", printed("sS", "[a, b]")},
      {R"({"NS":["1"]})", printed("nS", "[1]")},
      {R"({"BS":["AA=="]})", printed("bS", "[AA==]")},
      {R"({"M":{"k":{"S":"v"},"e":{"M":{}}}})",
       printed("m", "{k=" + printed("s", "v") + ", e=" + printed("m", "{}") + "}")},
      {R"({"L":[{"N":"1"},{"L":[]}]})",
       printed("l", "[" + printed("n", "1") + ", " + printed("l", "[]") + "]")},
      {R"({"NULL":true})", printed("nULL", "true")},
      {R"({"BOOL":false})", printed("bOOL", "false")},
      {"{}", printed("", "")},
  };
  for (const auto& [value, text] : values) {
    refused(
        "BatchWriteItem",
        R"({"RequestItems":{"bad!name":[{"PutRequest":{"Item":{"pk":{"S":"a"},"x":)" + value + "}}}]}}",
        enveloped(violated("'{bad!name=[" + printed_put("pk=" + printed("s", "a") + ", x=" + text) + "]}'",
                           "requestItems", bad_keys)));
    refused("BatchWriteItem", R"({"RequestItems":{"ab":[{"DeleteRequest":{"Key":{"pk":)" + value + "}}}]}}",
            enveloped(violated(
                "'{ab=[WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={pk=" + text + "}))]}'",
                "requestItems", bad_keys)));
  }
}

TEST_CASE("bad enums of BatchWriteItem are joined, capacity first, and silence a bad table name") {
  const std::string capacity = R"("ReturnConsumedCapacity":"BAD")";
  const std::string metrics = R"("ReturnItemCollectionMetrics":"BAD")";
  for (const std::string map :
       {R"({"Tab":[{"PutRequest":{"Item":{}}}]})", R"({"bad!name":[{"PutRequest":{"Item":{}}}]})"}) {
    const std::string items = R"("RequestItems":)" + map;
    refused("BatchWriteItem", "{" + items + "," + capacity + "}", enveloped(bad_capacity));
    refused("BatchWriteItem", "{" + metrics + "," + items + "}", enveloped(bad_metrics));
    refused("BatchWriteItem", "{" + metrics + "," + capacity + "," + items + "}",
            two(bad_capacity, bad_metrics));
  }
}

TEST_CASE("of very many violations only as many as fit a request are reported",
          "[same on every engine][volume]") {
  DynamoDb db;
  std::string definitions = "{}";
  for (int i = 0; i < 500'000; ++i) definitions += ",{}";
  const Reply reply =
      db.call("CreateTable", R"({"TableName":"Tab","AttributeDefinitions":[)" + definitions + "]}");
  CHECK(reply.error() == "ValidationException");
  CHECK_THAT(reply.message(),
             Catch::Contains(violated("null", "attributeDefinitions.1.member.attributeName", "")) &&
                 Catch::EndsWith(" failed to satisfy constraint: Member must not be null"));
  CHECK(reply.body.size() < 18 * 1024 * 1024);
}

TEST_CASE("a request that would be repeated at many times its length is cut short",
          "[same on every engine][volume]") {
  DynamoDb db;
  std::string writes = "{}";
  for (int i = 0; i < 1'000'000; ++i) writes += ",{}";
  const Reply reply = db.call("BatchWriteItem", R"({"RequestItems":{"Tab":[)" + writes + "]}}");
  CHECK(reply.error() == "ValidationException");
  const std::string begin = enveloped("Value '{Tab=[WriteRequest(putRequest=null, deleteRequest=null), ");
  CHECK(reply.message().substr(0, begin.size()) == begin);
  CHECK_THAT(reply.message(),
             Catch::EndsWith("]}' at 'requestItems' failed to satisfy constraint: " + bad_length));
  CHECK(reply.body.size() < 17 * 1024 * 1024);
}

}  // namespace test::batch_constraints_test
