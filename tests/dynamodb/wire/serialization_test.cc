#include <algorithm>
#include <chrono>

#include <catch2/catch.hpp>

#include "support/captured_log.h"
#include "support/tables.h"

// docs/service/wire.md sections 1, 6 and 7.
namespace test::serialization_test {
namespace {

/// The body is no request: an error without a message.
void not_json(std::string_view body) {
  DynamoDb db;
  const Reply reply = db.call("ListTables", body);
  INFO(body.substr(0, 100));
  CHECK(reply.status == 400);
  CHECK(reply.body == R"({"__type":"com.amazon.coral.service#SerializationException"})");
}

void refused(std::string_view operation, const std::string& body, const std::string& message) {
  DynamoDb db;
  const Reply reply = db.call(operation, body);
  INFO(operation << " " << body << " -> " << reply.body);
  CHECK(reply.status == 400);
  CHECK(reply.error() == "SerializationException");
  CHECK(reply.message() == message);
}

/// PutItem of an item with this text as attribute `a`.
std::string put_of(const std::string& value) {
  return R"({"TableName":"Music","Item":{"pk":{"S":"a"},"a":)" + value + "}}";
}

std::string nested(std::size_t levels, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}

const std::string structure_found = "Start of structure or map found where not expected";
const std::string list_found = "Start of list found where not expected";

}  // namespace

TEST_CASE("a body that is not one JSON object is refused without a message") {
  for (const char* body : {"[]",
                           "\"text\"",
                           "1",
                           "null",
                           "true",
                           "{",
                           "}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{}{}",
                           "{} x",
                           "{'a':1}",
                           "{\"a\":01}",
                           "{\"a\":nul}",
                           "{\"a\":\"\n\"}",
                           "{\"a\":\"\\x\"}",
                           "nothing",
                           "{\"a\":1e999}",
                           " ",
                           "\xFF",
                           "{\"\xC3\x28\":1}",
                           "{\"a\":\"\xED\xA0\x80\"}",
                           "[{}]",
                           "{\"a\":123456789012345678901234567890}"}) {
    not_json(body);
  }
  not_json(std::string_view("{\0}", 3));
}

TEST_CASE("JSON nested without end is not a request, and the server continues") {
  DynamoDb db;
  for (const std::size_t levels : {2'000u, 200'000u}) {
    CHECK(db.call("ListTables", nested(levels, "[", "]")).error() == "SerializationException");
    CHECK(db.call("ListTables", nested(levels, "{\"a\":", "1}")).error() == "SerializationException");
    CHECK(db.call("ListTables", std::string(levels, '[')).error() == "SerializationException");
  }
  CHECK(db.call("ListTables", "{}").status == 200);
}

TEST_CASE("a scalar of another kind is named by its kind") {
  refused("PutItem", put_of(R"({"N":5})"), "NUMBER_VALUE cannot be converted to String");
  refused("PutItem", put_of(R"({"N":5.5})"), "NUMBER_VALUE cannot be converted to String");
  refused("PutItem", put_of(R"({"S":true})"), "TRUE_VALUE cannot be converted to String");
  refused("PutItem", put_of(R"({"B":false})"), "FALSE_VALUE cannot be converted to String");
  refused("PutItem", put_of(R"({"BOOL":"true"})"), "STRING_VALUE cannot be converted to Boolean");
  refused("PutItem", put_of(R"({"NULL":1})"), "NUMBER_VALUE cannot be converted to Boolean");
  refused("PutItem", put_of(R"({"NS":[5]})"), "NUMBER_VALUE cannot be converted to String");
  refused("ListTables", R"({"Limit":"1"})", "STRING_VALUE cannot be converted to Integer");
  refused("ListTables", R"({"Limit":true})", "TRUE_VALUE cannot be converted to Integer");
  refused("DescribeTable", R"({"TableName":5})", "NUMBER_VALUE cannot be converted to String");
  refused("CreateTable", R"({"ProvisionedThroughput":{"ReadCapacityUnits":"5"}})",
          "STRING_VALUE cannot be converted to Long");
  refused("CreateTable", R"({"BillingMode":7})", "NUMBER_VALUE cannot be converted to String");
}

TEST_CASE("booleans are true and false only") {
  for (const char* value : {"1", "0"}) {
    refused("UpdateTable", R"({"TableName":"Music","DeletionProtectionEnabled":)" + std::string(value) + "}",
            "NUMBER_VALUE cannot be converted to Boolean");
  }
  refused("UpdateTable", R"({"TableName":"Music","DeletionProtectionEnabled":"true"})",
          "STRING_VALUE cannot be converted to Boolean");
}

TEST_CASE("an object where a scalar or a list is expected") {
  refused("DescribeTable", R"({"TableName":{}})", structure_found);
  refused("CreateTable", R"({"KeySchema":{}})", structure_found);
  refused("ListTables", R"({"Limit":{}})", structure_found);
  refused("PutItem", put_of(R"({"S":{}})"), structure_found);
  refused("PutItem", put_of(R"({"L":{}})"), structure_found);
  refused("PutItem", put_of(R"({"SS":{}})"), structure_found);
  refused("PutItem", put_of(R"({"BOOL":{}})"), structure_found);
}

TEST_CASE("a list where a scalar or an object is expected") {
  refused("DescribeTable", R"({"TableName":[]})", list_found);
  refused("CreateTable", R"({"ProvisionedThroughput":[]})", list_found);
  refused("CreateTable", R"({"KeySchema":[[]]})", list_found);
  refused("PutItem", R"({"TableName":"Music","Item":[]})", list_found);
  refused("PutItem", put_of("[]"), list_found);
  refused("PutItem", put_of(R"({"N":[]})"), list_found);
  refused("PutItem", put_of(R"({"M":[]})"), list_found);
}

TEST_CASE("a scalar where a structure or a list is expected") {
  for (const char* value : {"\"text\"", "5", "true", "null"}) {
    INFO(value);
    DynamoDb db;
    CHECK(db.call("PutItem", put_of(value)).error() == "SerializationException");
    CHECK(db.call("CreateTable", R"({"KeySchema":[)" + std::string(value) + "]}").error() ==
          "SerializationException");
    CHECK(db.call("PutItem", put_of(R"({"L":[)" + std::string(value) + "]}")).error() ==
          "SerializationException");
  }
  refused("PutItem", put_of(R"({"L":"text"})"), "Unexpected field type");
  refused("CreateTable", R"({"KeySchema":"text"})", "Unexpected field type");
}

TEST_CASE("a map key __type inside an item is too much for the deserializer") {
  refused("PutItem", put_of(R"({"M":{"__type":{"S":"x"}}})"), "No assembly name on stack!");
  refused("PutItem", R"({"TableName":"Music","Item":{"__type":{"S":"x"}}})", "No assembly name on stack!");
}

TEST_CASE("bad base64 is a serialization error") {
  DynamoDb db;
  db.create_table("Music");
  for (const char* text :
       {"A", "AA", "AAA", "AAE", "A===", "AAE=A", "AA*=", "=", "A A=", "AAE=\\n", "-_-_"}) {
    INFO(text);
    CHECK(db.call("PutItem", put_of(R"({"B":")" + std::string(text) + "\"}")).error() ==
          "SerializationException");
    CHECK(db.call("PutItem", put_of(R"({"BS":["AAE=",")" + std::string(text) + "\"]}")).error() ==
          "SerializationException");
  }
  CHECK(db.call("PutItem", put_of(R"({"B":"AAE="})")).status == 200);
}

TEST_CASE("integers: a fraction is cut off, a number too large is refused") {
  DynamoDb db;
  Json table = on_demand();
  const auto update = [&](const char* units) {
    return db.call("UpdateTable", R"({"TableName":"Music","ProvisionedThroughput":{"ReadCapacityUnits":)" +
                                      std::string(units) + R"(,"WriteCapacityUnits":1}})");
  };
  db.ok("CreateTable", provisioned());
  CHECK(update("7.9").status == 200);
  CHECK(describe(db).at("ProvisionedThroughput").at("ReadCapacityUnits") == 7);
  CHECK(update("8e0").status == 200);
  CHECK(describe(db).at("ProvisionedThroughput").at("ReadCapacityUnits") == 8);
  for (const char* units : {"9223372036854775808", "1e19", "-1e300"}) {
    CHECK(update(units).error() == "SerializationException");
  }
  for (const char* limit : {"2147483648", "-2147483649", "1e10", "9223372036854775808"}) {
    CHECK(db.call("ListTables", R"({"Limit":)" + std::string(limit) + "}").error() ==
          "SerializationException");
  }
  CHECK(db.call("ListTables", R"({"Limit":2147483647})").error() == "ValidationException");
}

// --- Section 7

TEST_CASE("an attribute value has exactly one type: bare messages, wherever it is") {
  const std::string none =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  const std::string several =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
      "datatypes";
  const std::vector<std::pair<std::string, std::string>> values = {
      {"{}", none},
      {R"({"X":"a"})", none},
      {R"({"s":"a"})", none},
      {R"({"S":null})", none},
      {R"({"S":"a","N":"1"})", several},
      {R"({"S":"a","NULL":true})", several},
      {R"({"L":[],"M":{},"SS":["a"]})", several},
      {R"({"M":{"x":{}}})", none},
      {R"({"L":[{"S":"a"},{"S":"a","N":"1"}]})", several},
  };
  DynamoDb db;
  db.create_table("Music");
  for (const auto& [value, message] : values) {
    const std::string key = R"({"TableName":"Music","Key":{"pk":)" + value + "}}";
    const std::string expression =
        R"({"TableName":"Music","Key":{"pk":{"S":"a"}},"ConditionExpression":"pk=:v",)"
        R"("ExpressionAttributeValues":{":v":)" +
        value + "}}";
    const std::vector<std::pair<std::string, std::string>> requests = {
        {"PutItem", put_of(value)}, {"GetItem", key},           {"UpdateItem", key},
        {"DeleteItem", key},        {"UpdateItem", expression}, {"DeleteItem", expression}};
    for (const auto& [operation, body] : requests) {
      const Reply reply = db.call(operation, body);
      INFO(operation << " " << body << " -> " << reply.body);
      CHECK(reply.status == 400);
      CHECK(reply.error() == "ValidationException");
      CHECK(reply.message() == message);
    }
  }
}

TEST_CASE("members of an attribute value that are null or unknown do not count") {
  DynamoDb db;
  db.create_table("Music");
  CHECK(db.call("PutItem", put_of(R"({"S":"a","N":null,"Other":5})")).status == 200);
  CHECK(db.get("Music", {{"pk", {{"S", "a"}}}}).at("a") == Json{{"S", "a"}});
}

TEST_CASE("names of attributes have at most 65535 bytes at every depth") {
  DynamoDb db;
  db.create_table("Music");
  const auto put = [&](std::size_t size) {
    const std::string name(size, 'x');
    CHECK(db.call("PutItem", put_of(R"({"S":"a"},")" + name + R"(":{"S":"a"})")).status ==
          (size > 65'535 ? 400 : 200));
    return db.call("PutItem", put_of(R"({"M":{")" + name + R"(":{"S":"a"}}})"));
  };
  CHECK(put(65'535).status == 200);
  CHECK(put(65'536).error() == "ValidationException");
}

// Not in docs/service; what JSON readers that make maps of objects do (RFC 8259 section 4 leaves it open).
TEST_CASE("of entries of a map with one name the last counts") {
  DynamoDb db;
  db.create_table("Music");
  const std::string about = R"({"TableName":"Music","Key":{"pk":{"S":"a"}},)";
  const auto ok = [&](const std::string& members) {
    const Reply reply = db.call("UpdateItem", about + members + "}");
    INFO(reply.body);
    CHECK(reply.status == 200);
    return db.get("Music", {{"pk", {{"S", "a"}}}});
  };
  const Json expression =
      ok(R"("UpdateExpression":"SET #a = :a","ExpressionAttributeNames":{"#a":"first","#a":"last"},)"
         R"("ExpressionAttributeValues":{":a":{"S":"first"},":a":{"S":"last"}})");
  CHECK(expression == Json{{"pk", {{"S", "a"}}}, {"last", {{"S", "last"}}}});
  const Json legacy =
      ok(R"("AttributeUpdates":{"n":{"Action":"ADD","Value":{"N":"1"}},"last":{"Action":"DELETE"},)"
         R"("n":{"Action":"ADD","Value":{"N":"2"}}})");
  CHECK(legacy == Json{{"pk", {{"S", "a"}}}, {"n", {{"N", "2"}}}});
}

// --- Log lines, and what a lenient server accepts

namespace {

dinette::dynamodb::ServiceOptions lenient() {
  dinette::dynamodb::ServiceOptions options;
  options.lenient_types = true;
  return options;
}

Json quoted_table(const std::string& units) {
  return {{"TableName", "Music"},
          {"KeySchema", Json::array({key("pk", "HASH")})},
          {"AttributeDefinitions", Json::array({attribute("pk", "S")})},
          {"ProvisionedThroughput", {{"ReadCapacityUnits", units}, {"WriteCapacityUnits", "2"}}},
          {"StreamSpecification", {{"StreamEnabled", "true"}, {"StreamViewType", "KEYS_ONLY"}}}};
}

}  // namespace

TEST_CASE("the log names the member of a wrong type, once for each operation and member") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  DynamoDb db;
  const auto refusal = [&](std::string_view operation, const std::string& body) {
    CHECK(db.call(operation, body).error() == "SerializationException");
    return log.line();
  };
  CHECK(refusal("CreateTable", quoted_table("1").dump()) ==
        "warn a value of the wrong type was refused, as by the service; --lenient-types accepts it "
        "operation=CreateTable member=ProvisionedThroughput.ReadCapacityUnits error=\"STRING_VALUE cannot be "
        "converted to Long\"\n");
  CHECK(db.call("CreateTable", quoted_table("1")).error() == "SerializationException");
  CHECK(log.text().empty());
  CHECK(refusal("ListTables", R"({"Limit": true})") ==
        "warn a value of the wrong type was refused, as by the service operation=ListTables member=Limit "
        "error=\"TRUE_VALUE cannot be converted to Integer\"\n");
  CHECK_THAT(
      refusal("PutItem", put_of(R"({"M": {"x": {"N": 5}}})")),
      Catch::Contains(" member=Item.a ") && Catch::Contains("NUMBER_VALUE cannot be converted to String"));
  CHECK_THAT(
      refusal("BatchGetItem", R"({"RequestItems": {"Music": {"Keys": [{"pk": {"S": "a"}}, {"pk": 1}]}}})"),
      Catch::Contains(" member=RequestItems.Music.Keys[1].pk "));
  CHECK_THAT(refusal("TransactWriteItems", R"({"TransactItems": [{"Put": []}]})"),
             Catch::Contains(" member=TransactItems[0].Put "));
}

TEST_CASE("however many members are of a wrong type, the log stays short") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  DynamoDb db;
  for (int i = 0; i < 300; ++i)
    db.call("GetItem", R"({"TableName": "Music", "Key": {"a)" + std::to_string(i) + R"(": 1}})");
  const std::string text = log.text();
  CHECK(std::ranges::count(text, '\n') == 256);
}

TEST_CASE("a lenient server accepts numbers and booleans in quotation marks, and says so") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  DynamoDb db(lenient());
  const Json table = db.ok("CreateTable", quoted_table("1")).at("TableDescription");
  CHECK(table.at("ProvisionedThroughput").at("ReadCapacityUnits") == 1);
  CHECK(table.at("StreamSpecification").at("StreamEnabled") == true);
  const std::string said = log.text();
  for (const std::string_view member :
       {"ProvisionedThroughput.ReadCapacityUnits", "ProvisionedThroughput.WriteCapacityUnits",
        "StreamSpecification.StreamEnabled"}) {
    CHECK_THAT(said, Catch::Contains("warn a number or boolean in quotation marks was accepted, which the "
                                     "service refuses operation=CreateTable member=" +
                                     std::string(member)));
  }
  db.ok("DeleteTable", {{"TableName", "Music"}});
  db.ok("CreateTable", quoted_table("3"));
  CHECK(log.text().empty());
  CHECK(db.ok("Scan", {{"TableName", "Music"}, {"Limit", "10"}, {"ConsistentRead", "False"}}).at("Count") ==
        0);
  const Json item = {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "a"}}}, {"b", {{"BOOL", "true"}}}}}};
  db.ok("PutItem", item);
  CHECK(db.get("Music", {{"pk", {{"S", "a"}}}}).at("b") == Json{{"BOOL", true}});
}

TEST_CASE("a lenient server holds quoted values to the same rules, and refuses other wrong types") {
  DynamoDb db(lenient());
  const auto refusal = [&](const Json& value) {
    return db.call("Scan", Json{{"TableName", "Music"}, {"Limit", value}}).refusal();
  };
  CHECK(refusal("0") == enveloped("Value '0' at 'limit' failed to satisfy constraint: Member must have value "
                                  "greater than or equal to 1"));
  for (const Json& wrong :
       {Json("ten"), Json("1x"), Json(" 1"), Json("1.5"), Json("99999999999"), Json(true)})
    CHECK(db.call("Scan", Json{{"TableName", "Music"}, {"Limit", wrong}}).error() ==
          "SerializationException");
  CHECK(db.call("Scan", Json{{"TableName", "Music"}, {"ConsistentRead", "yes"}}).error() ==
        "SerializationException");
  CHECK(db.call("PutItem", put_of(R"({"N": 5})")).error() == "SerializationException");
}

TEST_CASE("the log says where a body stops being JSON, and repeats nothing of it") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  DynamoDb db;
  const auto line = [&](std::string_view body) {
    db.clock().advance(std::chrono::seconds(1));
    CHECK(db.call("ListTables", body).error() == "SerializationException");
    const std::string text = log.text();
    CHECK_THAT(text, Catch::Contains("warn a request's body is not a JSON object reason="));
    CHECK_THAT(text, Catch::Contains(" request_bytes=" + std::to_string(body.size()) +
                                     " target=DynamoDB_20120810.ListTables "));
    CHECK_THAT(text, !Catch::Contains("secret"));
    return text;
  };
  CHECK_THAT(line("{\"secret\": \"\xF0\x9F\"}"), Catch::Contains("UTF-8") && Catch::Contains(" byte=15 "));
  CHECK_THAT(line(R"({"secret": secret})"), Catch::Contains(" byte=12 "));
  CHECK_THAT(line(R"({"secret": 1)"), Catch::Contains("end of input") && Catch::Contains(" byte=12 "));
  CHECK_THAT(line(R"(["secret"])"), Catch::Contains("reason=\"not an object\""));
  CHECK_THAT(line(R"({"secret": 1e999})"), Catch::Contains("reason=\"number out of range\""));
  line(std::string(2'000, '['));
}

TEST_CASE("bodies that are not JSON are logged at most once per second") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  DynamoDb db;
  for (int i = 0; i < 3; ++i) db.call("ListTables", "{");
  const std::string first = log.text();
  CHECK(std::ranges::count(first, '\n') == 1);
  db.clock().advance(std::chrono::seconds(1));
  db.call("ListTables", "{");
  const std::string second = log.text();
  CHECK(std::ranges::count(second, '\n') == 1);
}

TEST_CASE("with --log-items the log shows what is around the byte at fault") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  dinette::dynamodb::ServiceOptions options;
  options.log_items = true;
  DynamoDb db(options);
  const std::string padding(1'000, 'x');
  db.call("ListTables", R"({")" + padding + R"(": oops, ")" + padding + R"(": 1})");
  CHECK_THAT(log.text(),
             Catch::Contains("xxx\\\": oops, \\\"xxx") && !Catch::Contains(std::string(100, 'x')));
}

}  // namespace test::serialization_test
