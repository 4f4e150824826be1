#include <catch2/catch.hpp>

#include "support/dynamodb.h"

// Facts: wire.md section 2, CORS.
namespace test::cors_test {
namespace {

const std::string exposed =
    "x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,Date";
const std::pair<std::string, std::string> origin{"Origin", "http://localhost:3000"};

dinette::dynamodb::ServiceOptions only(std::string origins) {
  dinette::dynamodb::ServiceOptions options;
  options.cors_origins = std::move(origins);
  return options;
}

}  // namespace

TEST_CASE("A preflight is allowed what it asks for") {
  DynamoDb db;
  const Reply reply = db.send("OPTIONS", "/",
                              {origin,
                               {"Access-Control-Request-Method", "POST"},
                               {"Access-Control-Request-Headers", "x-amz-target,authorization"}},
                              "");
  CHECK(reply.status == 200);
  CHECK(reply.header("Access-Control-Allow-Origin") == "*");
  CHECK(reply.header("Access-Control-Allow-Methods") == "POST");
  CHECK(reply.header("Access-Control-Allow-Headers") == "x-amz-target,authorization");
  CHECK(!reply.header("Access-Control-Max-Age").empty());
  CHECK(reply.body.empty());
}

TEST_CASE("Answers to another origin may be read, errors and health too") {
  DynamoDb db;
  const std::vector<Reply> replies = {db.call("ListTables", "{}", {origin}),
                                      db.call("ListTables", "{", {origin}), db.call("NoSuch", "{}", {origin}),
                                      db.send("GET", "/", {origin}, ""), db.send("GET", "/x", {origin}, "")};
  for (const Reply& reply : replies) {
    INFO(reply.status << " " << reply.body);
    CHECK(reply.header("Access-Control-Allow-Origin") == "*");
    CHECK(reply.header("Access-Control-Expose-Headers") == exposed);
  }
}

TEST_CASE("Without an origin nothing is said about origins") {
  DynamoDb db;
  CHECK(db.call("ListTables", "{}").headers.find("Access-Control") == std::string::npos);
  CHECK(db.send("OPTIONS", "/", {}, "").status == 404);
}

TEST_CASE("Origins can be restricted") {
  DynamoDb db(only("https://a.example, http://localhost:3000"));
  CHECK(db.call("ListTables", "{}", {origin}).header("Access-Control-Allow-Origin") == origin.second);
  CHECK(db.send("OPTIONS", "/", {origin}, "").header("Access-Control-Allow-Origin") == origin.second);
  const std::pair<std::string, std::string> other{"Origin", "https://evil.example"};
  const Reply reply = db.call("ListTables", "{}", {other});
  CHECK(reply.status == 200);
  CHECK(reply.headers.find("Access-Control") == std::string::npos);
  CHECK(db.send("OPTIONS", "/", {other}, "").headers.find("Access-Control") == std::string::npos);
}

}  // namespace test::cors_test
