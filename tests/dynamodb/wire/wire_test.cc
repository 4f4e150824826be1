#include <algorithm>
#include <cctype>

#include <catch2/catch.hpp>

#include "dinette/base/crc32.h"

#include "support/captured_log.h"
#include "support/tables.h"

// docs/service/wire.md sections 1, 2, 4 and 8.
namespace test::wire_test {
namespace {

const Json music = {{"TableName", "Music"}};
const Json its_key = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}};

void check_headers(const Reply& reply) {
  const std::string id = reply.header("x-amzn-RequestId");
  CHECK(id.size() == 52);
  CHECK(std::ranges::all_of(id, [](unsigned char c) { return std::isupper(c) || std::isdigit(c); }));
  CHECK(reply.header("x-amz-crc32") == std::to_string(dinette::base::crc32(reply.body)));
}

Reply post(DynamoDb& db, Headers headers, std::string_view body) {
  return db.send("POST", "/", std::move(headers), body);
}

const std::pair<std::string, std::string> list_tables{"X-Amz-Target", "DynamoDB_20120810.ListTables"};

}  // namespace

TEST_CASE("a success is a 200 with a request id and the check sum of the body") {
  DynamoDb db;
  const Reply reply = db.call("ListTables", Json::object());
  CHECK(reply.status == 200);
  CHECK(reply.content_type == "application/x-amz-json-1.0");
  check_headers(reply);
}

TEST_CASE("an error has the same headers") {
  DynamoDb db;
  for (const Reply& reply : {db.call("DescribeTable", music), db.call("NoSuchOperation", Json::object()),
                             db.call("ListTables", "{")}) {
    CHECK(reply.status == 400);
    CHECK(reply.content_type == "application/x-amz-json-1.0");
    check_headers(reply);
    CHECK(reply.header("x-amzn-ErrorType").empty());
  }
}

TEST_CASE("so have answers that are not JSON") {
  DynamoDb db;
  check_headers(db.send("GET", "/", {}, ""));
  check_headers(db.send("GET", "/x", {}, ""));
  check_headers(db.send("OPTIONS", "/", {}, ""));
  check_headers(db.send("POST", "/", {{"Origin", "https://evil.example"}}, "{}"));
}

TEST_CASE("the check sum of the health page is the service's") {
  DynamoDb db;
  CHECK(db.send("GET", "/", {}, "").header("x-amz-crc32") == "3128867991");
}

TEST_CASE("what the HTTP server refuses is answered in the service's form") {
  DynamoDb db;
  const Reply too_large = db.refused(413, "Request too large\n");
  CHECK(too_large.status == 413);
  CHECK(too_large.body.empty());
  CHECK(too_large.content_type.empty());
  check_headers(too_large);
  const Reply large_head = db.refused(431, "Headers too large\n");
  CHECK(large_head.status == 400);
  CHECK(large_head.body.empty());
  check_headers(large_head);
  const Reply malformed = db.refused(400, "Bad request\n");
  CHECK(malformed.status == 400);
  CHECK(malformed.body == "Bad request\n");
  check_headers(malformed);
}

TEST_CASE("what a refusal repeats of a header is UTF-8, whatever stood there") {
  dinette::dynamodb::ServiceOptions options;
  options.auth.mode = dinette::aws::AuthMode::present;
  DynamoDb db(options);
  const Headers headers = {
      {"X-Amz-Target", "DynamoDB_20120810.ListTables"},
      {"X-Amz-Date", "20260131T081500Z"},
      {"Authorization", "AWS4-HMAC-SHA256 Credential=\xFFz, SignedHeaders=host, Signature=f00d"}};
  const Reply reply = db.send("POST", "/", headers, "{}");
  CHECK(reply.message().ends_with("got '?z'"));
}

TEST_CASE("every request has an id of its own") {
  DynamoDb db;
  CHECK(db.call("ListTables", Json::object()).header("x-amzn-RequestId") !=
        db.call("ListTables", Json::object()).header("x-amzn-RequestId"));
}

TEST_CASE("application/json is accepted and echoed") {
  DynamoDb db;
  CHECK(post(db, {list_tables, {"Content-Type", "application/json"}}, "{}").content_type ==
        "application/json");
  CHECK(post(db, {list_tables, {"Content-Type", "application/json; charset=utf-8"}}, "{}").content_type ==
        "application/json");
  CHECK(post(db, {list_tables, {"Content-Type", "application/json"}}, "{").content_type ==
        "application/json");
  CHECK(post(db, {list_tables}, "{}").content_type == "application/x-amz-json-1.0");
}

TEST_CASE("header names are found in either case") {
  DynamoDb db;
  CHECK(post(db, {{"x-amz-target", "DynamoDB_20120810.ListTables"}}, "{}").status == 200);
}

TEST_CASE("an answer with nothing to say is an empty object") {
  DynamoDb db;
  db.create_table("Music");
  CHECK(db.call("PutItem", Json{{"TableName", "Music"}, {"Item", {{"pk", {{"S", "a"}}}}}}).body == "{}");
  CHECK(db.call("UpdateItem", its_key).body == "{}");
  CHECK(db.call("DeleteItem", its_key).body == "{}");
  CHECK(db.call("GetItem", its_key).body == "{}");
}

TEST_CASE("absent optional outputs are left out, not null") {
  DynamoDb db;
  db.create_table("Music");
  Json request = its_key;
  request["ReturnValues"] = "ALL_OLD";
  CHECK(db.call("DeleteItem", request).body == "{}");
  CHECK(db.call("ListTables", Json::object()).body == R"({"TableNames":["Music"]})");
}

TEST_CASE("an absent body is an empty object") {
  DynamoDb db;
  CHECK(db.call("ListTables", "").body == R"({"TableNames":[]})");
  CHECK(db.call("DescribeTable", "").error() == "ValidationException");
}

// But for integers of more than 64 bits: docs/differences.md.
TEST_CASE("unknown members are ignored, whatever structure or scalar they hold") {
  DynamoDb db;
  db.create_table("Music");
  CHECK(db.call("DescribeTable", R"({"TableName":"Music","Extra":{"a":[1,null,{"S":5}]}})").status == 200);
}

TEST_CASE("a member that is null counts as absent") {
  DynamoDb db;
  db.create_table("Music");
  CHECK(db.call("ListTables", R"({"Limit":null,"ExclusiveStartTableName":null})").status == 200);
  CHECK(db.call("DescribeTable", R"({"TableName":null})").message() ==
        enveloped("Value null at 'tableName' failed to satisfy constraint: Member must not be null"));
}

TEST_CASE("member names are case-sensitive") {
  DynamoDb db;
  db.create_table("Music");
  CHECK(db.call("DescribeTable", R"({"tableName":"Music"})").message() ==
        enveloped("Value null at 'tableName' failed to satisfy constraint: Member must not be null"));
}

TEST_CASE("white space around and inside the JSON is no matter") {
  DynamoDb db;
  CHECK(db.call("ListTables", " \r\n\t{ \"Limit\" :\n1 } \n").status == 200);
}

TEST_CASE("capacity units are JSON numbers") {
  DynamoDb db;
  db.create_table("Music");
  Json request = its_key;
  request["ReturnConsumedCapacity"] = "TOTAL";
  const Json units = db.ok("GetItem", request).at("ConsumedCapacity").at("CapacityUnits");
  CHECK(units.is_number());
  CHECK(units == 0.5);
}

// The HTTP server leaves out the body of the answer to HEAD.
TEST_CASE("GET and HEAD of / tell that the server is healthy") {
  DynamoDb db;
  for (const char* method : {"GET", "HEAD"}) {
    for (const char* target : {"/", "/?any=thing"}) {
      const Reply reply = db.send(method, target, {}, "");
      CHECK(reply.status == 200);
      CHECK(reply.body == "healthy: dynamodb.us-east-1.amazonaws.com ");
    }
  }
}

// Not in docs/service: DynamoDB Local's own answer to a request without a signature, as its users print it.
TEST_CASE("started as DynamoDB Local, the server answers GET and HEAD of / as it does, and nothing else") {
  dinette::dynamodb::ServiceOptions options;
  options.as_dynamodb_local = true;
  DynamoDb db(options);
  for (const char* method : {"GET", "HEAD"}) {
    const Reply reply = db.send(method, "/", {}, "");
    CHECK(reply.status == 400);
    CHECK(reply.content_type == "application/x-amz-json-1.0");
    CHECK(reply.error() == "MissingAuthenticationToken");
    CHECK(reply.message() ==
          "Request must contain either a valid (registered) AWS access key ID or X.509 certificate.");
    check_headers(reply);
  }
  CHECK(db.send("OPTIONS", "/", {}, "").status == 200);  // which the health check asks for
  CHECK(db.call("ListTables", "{}").body == R"({"TableNames":[]})");
}

TEST_CASE("headers over 16 KB in total, or a first line over 16 KB: 400 before any other check") {
  DynamoDb db;
  constexpr std::size_t most = 16 * 1024;
  const auto with_headers = [&](std::size_t size, int count) {
    const std::size_t each = size / static_cast<std::size_t>(count);
    Headers headers(static_cast<std::size_t>(count),
                    {"X-A", std::string(each - std::string("X-A: \r\n").size(), 'a')});
    return db.send("GET", "/", headers, "");
  };
  for (const int count : {1, 4, 64}) {
    CHECK(with_headers(most, count).status == 200);
    const Reply reply = with_headers(most + static_cast<std::size_t>(count), count);
    CHECK(reply.status == 400);
    CHECK(reply.body.empty());
    check_headers(reply);
  }
  CHECK(db.send("GET", "/?" + std::string(most - 2, 'a'), {}, "").status == 200);
  CHECK(db.send("GET", "/?" + std::string(most - 1, 'a'), {}, "").status == 400);
  CHECK(db.send("GET", "/x" + std::string(most, 'a'), {}, "").status == 400);
}

TEST_CASE("TagResource and UntagResource answer without a body") {
  DynamoDb db;
  db.create_table("Music");
  const Json arn = {{"ResourceArn", "arn:aws:dynamodb:us-east-1:000000000000:table/Music"}};
  Json tag = arn;
  tag["Tags"] = Json::array({{{"Key", "team"}, {"Value", "archive"}}});
  Json untag = arn;
  untag["TagKeys"] = Json::array({"team"});
  for (const Reply& reply : {db.call("TagResource", tag), db.call("UntagResource", untag)}) {
    CHECK(reply.status == 200);
    CHECK(reply.body.empty());
    CHECK(reply.content_type == "application/x-amz-json-1.0");
    check_headers(reply);
  }
}

TEST_CASE("other methods and paths are not found") {
  DynamoDb db;
  const std::vector<std::pair<std::string, std::string>> requests = {
      {"GET", "/x"},  {"POST", "/x"},      {"PUT", "/"}, {"DELETE", "/"},
      {"PATCH", "/"}, {"POST", "/shell/"}, {"get", "/"}};
  for (const auto& [method, target] : requests) {
    INFO(method << " " << target);
    const Reply reply = db.send(method, target, {list_tables}, "{}");
    CHECK(reply.status == 404);
    CHECK(reply.body == "<UnknownOperationException/>");
  }
}

TEST_CASE("a target that is absent or unknown is an UnknownOperationException without a message") {
  DynamoDb db;
  const auto check = [](const Reply& reply) {
    CHECK(reply.status == 400);
    CHECK(reply.body == R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  };
  check(post(db, {}, "{}"));
  for (const char* target :
       {"", "ListTables", "DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.listTables",
        "DynamoDB_20111205.ListTables", "DynamoDBStreams_20120810.ListTables",
        "DynamoDB_20120810.ListTables ", "DynamoDB_20120810.ZZZ", "A"}) {
    check(post(db, {{"X-Amz-Target", target}}, "{}"));
  }
}

// --- Section 4: which check comes first

TEST_CASE("the order of checks") {
  dinette::dynamodb::ServiceOptions options;
  options.auth.mode = dinette::aws::AuthMode::present;
  DynamoDb db(options);
  const std::pair<std::string, std::string> signature{
      "Authorization",
      "AWS4-HMAC-SHA256 Credential=key/20261010/us-east-1/dynamodb/aws4_request, SignedHeaders=host, "
      "Signature=0"};
  const std::pair<std::string, std::string> date{"X-Amz-Date", "20261010T120000Z"};
  const std::pair<std::string, std::string> create{"X-Amz-Target", "DynamoDB_20120810.CreateTable"};
  const std::string wrong_type = R"({"TableName":5,"BillingMode":"FREE"})";

  // Method and path, then the target, then JSON at all, then the signature.
  CHECK(db.send("POST", "/x", {}, "{").status == 404);
  CHECK(post(db, {}, "{").error() == "UnknownOperationException");
  CHECK(post(db, {create}, "{").error() == "SerializationException");
  CHECK(post(db, {create}, wrong_type).error() == "MissingAuthenticationTokenException");
  // Then JSON types, the constraints of the model, the operation's own checks, and what is stored.
  CHECK(post(db, {create, signature, date}, wrong_type).error() == "SerializationException");
  Json request = on_demand("x!");
  request["ProvisionedThroughput"] = units(1, 1);
  const auto ask = [&] { return post(db, {create, signature, date}, request.dump()).message(); };
  CHECK(ask().find("'tableName'") != std::string::npos);
  request["TableName"] = "Music";
  CHECK(ask().find("Neither ReadCapacityUnits") != std::string::npos);
  request.erase("ProvisionedThroughput");
  CHECK(ask().empty());
  CHECK(ask() == "Table already exists: Music");
}

TEST_CASE("a wrong JSON type anywhere comes before a violated constraint anywhere") {
  DynamoDb db;
  CHECK(db.call("PutItem", R"({"TableName":"x!","Item":{"pk":{"S":"a"}},"ReturnValues":[]})").error() ==
        "SerializationException");
  CHECK(db.call("PutItem", R"({"TableName":"x!","Item":{"pk":{"S":5}}})").error() ==
        "SerializationException");
}

// AWS's query protocol: what botocore prints of an error is its Code and Message.
TEST_CASE("a call of another AWS service in the query protocol is refused in XML") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  DynamoDb db;
  const auto send_as = [&](const std::string& type, const std::string& body, Headers headers = {}) {
    headers.emplace_back("Content-Type", type);
    return db.send("POST", "/", headers, body);
  };
  const std::string form = "application/x-www-form-urlencoded";
  const auto error = [](const std::string& action, const Reply& reply, const std::string& advice = "") {
    return "<ErrorResponse><Error><Type>Sender</Type><Code>InvalidAction</Code><Message>Dinette serves "
           "DynamoDB, "
           "DynamoDB Streams, Kinesis Data Streams and S3 only, and not " +
           action + "." + advice + "</Message></Error><RequestId>" + reply.header("x-amzn-RequestId") +
           "</RequestId></ErrorResponse>";
  };
  for (const std::string& type : {form, form + "; charset=utf-8"}) {
    const Reply reply = send_as(type, "Action=GetCallerIdentity&Version=2011-06-15");
    CHECK(reply.status == 400);
    CHECK(reply.content_type == "text/xml");
    CHECK(reply.body == error("GetCallerIdentity", reply));
  }
  const std::string said = log.text();
  CHECK(std::ranges::count(said, '\n') == 1);
  CHECK_THAT(said,
             Catch::Contains("warn a call of another AWS service was refused action=GetCallerIdentity"));
  const Reply stack = send_as(form, "Action=CreateChangeSet");
  CHECK(stack.body ==
        error("CreateChangeSet", stack,
              " To create the tables of a template: dinette tables apply template.yaml --into URL."));
  const Reply odd = send_as(form, "Version=1&Action=%3Cb%3E" + std::string(5'000, 'x'));
  CHECK(odd.body == error("?", odd));
  CHECK(send_as(form, "Version=1").json() ==
        Json{{"__type", "com.amazon.coral.service#UnknownOperationException"}});
  CHECK(send_as("application/x-amz-json-1.0", "Action=A").error() == "UnknownOperationException");
  CHECK(send_as(form, "Action=A", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}).error() ==
        "SerializationException");
}

}  // namespace test::wire_test
