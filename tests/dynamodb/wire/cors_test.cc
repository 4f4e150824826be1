#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/wire.md section 2, CORS. Which origins may call is Dinette's own: docs/differences.md; which
// origins a list means, tests/http/cors_test.cc.
namespace test::cors_test {
namespace {

const std::string exposed =
    "x-amzn-RequestId,x-amzn-ErrorType,x-amz-request-id,x-amz-id-2,x-amzn-ErrorMessage,Date";
const std::string evil = "https://evil.example";

dinette::dynamodb::ServiceOptions only(std::string origins) {
  dinette::dynamodb::ServiceOptions options;
  options.cors_origins = std::move(origins);
  return options;
}

Headers from(const std::string& origin) {
  return {{"Origin", origin}};
}

Headers preflight(const std::string& origin) {
  return {{"Origin", origin},
          {"Access-Control-Request-Method", "POST"},
          {"Access-Control-Request-Headers", "x-amz-target,authorization"}};
}

bool may_call(DynamoDb& db, const std::string& origin) {
  const Reply reply = db.call("ListTables", "{}", from(origin));
  INFO(origin << " " << reply.status << " " << reply.body);
  const bool may = reply.status == 200;
  CHECK((may || reply.status == 403));
  CHECK(reply.header("Access-Control-Allow-Origin").empty() == !may);
  return may;
}

}  // namespace

TEST_CASE("by default pages of this machine may call, and no other") {
  DynamoDb db;
  CHECK(may_call(db, "http://localhost:3000"));
  CHECK_FALSE(may_call(db, evil));
  CHECK_FALSE(may_call(db, ""));
}

TEST_CASE("the option says which origins may call") {
  DynamoDb db(only("https://a.example"));
  CHECK(may_call(db, "https://a.example"));
  CHECK_FALSE(may_call(db, "http://localhost:3000"));
  CHECK(db.call("ListTables", "{}").status == 200);
}

TEST_CASE("a page that may not call gets 403 before anything runs, and the option that would let it") {
  DynamoDb db;
  db.create_table("Music");
  const Reply reply = db.call("DeleteTable", Json{{"TableName", "Music"}}, from(evil));
  CHECK(reply.status == 403);
  CHECK(reply.json() == Json{{"__type", "com.amazon.coral.service#AccessDeniedException"},
                             {"Message",
                              "Web pages of origin https://evil.example may not call this server. Its "
                              "option --cors says which may."}});
  CHECK(reply.header("Vary") == "Origin");
  CHECK(reply.headers.find("Access-Control") == std::string::npos);
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  for (const char* method : {"GET", "HEAD", "PUT", "OPTIONS"}) {
    const Reply other = db.send(method, "/", preflight(evil), "");
    CHECK(other.status == 403);
    CHECK(other.headers.find("Access-Control") == std::string::npos);
  }
}

TEST_CASE("a rebound host name is another origin, though the page's own") {
  DynamoDb db;
  CHECK(db.send("POST", "/",
                {{"Host", "evil.example:8000"},
                 {"Origin", "http://evil.example:8000"},
                 {"X-Amz-Target", "DynamoDB_20120810.ListTables"}},
                "{}")
            .status == 403);
}

TEST_CASE("requests without an Origin are served") {
  DynamoDb db;
  const Reply reply = db.call("ListTables", "{}", {{"Host", "dynamodb.compose.example:8000"}});
  CHECK(reply.status == 200);
  CHECK(reply.headers.find("Access-Control") == std::string::npos);
  CHECK(reply.header("Vary").empty());
  CHECK(db.send("GET", "/", {}, "").status == 200);
}

TEST_CASE("what an answer repeats of an origin is UTF-8, whatever stood there") {
  DynamoDb db;
  CHECK(db.call("ListTables", "{}", from("http://\xFF\"x"))
            .json()
            .at("Message")
            .get<std::string>()
            .starts_with("Web pages of origin http://?\"x may not call"));
}

TEST_CASE("a preflight is allowed what it asks for, for ten minutes") {
  DynamoDb db;
  const Reply reply = db.send("OPTIONS", "/", preflight("http://localhost:3000"), "");
  CHECK(reply.status == 200);
  CHECK(reply.body.empty());
  CHECK(reply.header("Access-Control-Allow-Origin") == "http://localhost:3000");
  CHECK(reply.header("Access-Control-Allow-Methods") == "POST");
  CHECK(reply.header("Access-Control-Allow-Headers") == "x-amz-target,authorization");
  CHECK(reply.header("Access-Control-Expose-Headers") == exposed);
  CHECK(reply.header("Access-Control-Max-Age") == "600");
  CHECK(reply.header("Vary") == "Origin");
}

TEST_CASE("a preflight that asks for nothing gets no list of methods or headers") {
  DynamoDb db;
  const Reply reply = db.send("OPTIONS", "/", from("http://localhost"), "");
  CHECK(reply.status == 200);
  CHECK(reply.headers.find("Access-Control-Allow-Methods") == std::string::npos);
  CHECK(reply.headers.find("Access-Control-Allow-Headers") == std::string::npos);
}

// docs/service/wire.md section 2, CORS: scylladb's test_cors.py, run on the service.
TEST_CASE("OPTIONS without an Origin is answered without any header of CORS") {
  DynamoDb db;
  const Headers asks = {{"Access-Control-Request-Method", "POST"},
                        {"Access-Control-Request-Headers", "x-amz-target"}};
  for (const Headers& headers : {Headers(), asks}) {
    const Reply reply = db.send("OPTIONS", "/", headers, "");
    CHECK(reply.status == 200);
    CHECK(reply.headers.find("Access-Control") == std::string::npos);
    CHECK(reply.header("Vary").empty());
  }
}

TEST_CASE("answers to an allowed page may be read, errors and health too") {
  DynamoDb db;
  const Headers headers = from("http://localhost:3000");
  const std::vector<Reply> replies = {db.call("ListTables", "{}", headers),
                                      db.call("ListTables", "{", headers), db.call("NoSuch", "{}", headers),
                                      db.send("GET", "/", headers, ""), db.send("GET", "/x", headers, "")};
  for (const Reply& reply : replies) {
    INFO(reply.status << " " << reply.body);
    CHECK(reply.header("Access-Control-Allow-Origin") == "http://localhost:3000");
    CHECK(reply.header("Access-Control-Expose-Headers") == exposed);
    CHECK(reply.header("Access-Control-Max-Age").empty());
    CHECK(reply.header("Vary") == "Origin");
  }
}

// The service's own answers.
TEST_CASE("with * every page that has an origin may call") {
  DynamoDb db(only("*"));
  for (const std::string& origin : {evil, std::string("http://localhost")}) {
    const Reply reply = db.call("ListTables", "{}", from(origin));
    CHECK(reply.status == 200);
    CHECK(reply.header("Access-Control-Allow-Origin") == "*");
    CHECK(reply.header("Access-Control-Expose-Headers") == exposed);
    CHECK(reply.header("Vary").empty());
    CHECK(db.send("OPTIONS", "/", preflight(origin), "").header("Access-Control-Allow-Origin") == "*");
  }
}

// The service would answer. What an S3 bucket holds has this origin (docs/decisions.md).
TEST_CASE("a page without an origin may call only if it is listed") {
  DynamoDb all(only("*"));
  CHECK_FALSE(may_call(all, "null"));
  DynamoDb listed(only("*,null"));
  CHECK(may_call(listed, "null"));
}

TEST_CASE("the server's own page may call from an address, not from a name that may have been rebound") {
  DynamoDb db;
  const auto status = [&](const std::string& host) {
    const Headers headers = {
        {"Host", host}, {"Origin", "http://" + host}, {"X-Amz-Target", "DynamoDB_20120810.ListTables"}};
    return db.send("POST", "/", headers, "{}").status;
  };
  CHECK(status("192.0.2.2:8000") == 200);
  CHECK(status("[2001:db8::1]:8000") == 200);
  CHECK(status("dinette:8000") == 403);
}

}  // namespace test::cors_test
