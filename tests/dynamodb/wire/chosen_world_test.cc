#include <optional>

#include <catch2/catch.hpp>

#include "dinette/base/time_text.h"

#include "support/tables.h"

// A request chooses a fork by the header X-Dinette-World, or by an access key id that is its name.
namespace test::chosen_world_test {
namespace {

/// A database with a table of its own in the default world, and in the fork "fork" of it.
struct Forked {
  DynamoDb db;

  explicit Forked(dinette::dynamodb::ServiceOptions options = {}) : db(std::move(options)) {
    const auto image = db.worlds().pick("").value()->image().value();
    REQUIRE(db.worlds().add_fork("fork", image).value());
    create("OfDefault", {{"X-Dinette-World", "default"}});
    create("OfFork", {{"X-Dinette-World", "fork"}});
  }

  void create(std::string_view name, Headers headers) {
    REQUIRE(db.call("CreateTable", on_demand(name), std::move(headers)).status == 200);
  }
  Json tables(Headers headers) {
    return db.call("ListTables", Json::object(), std::move(headers)).json().at("TableNames");
  }
};

Headers signed_with(const std::string& key, const std::optional<std::string>& world = std::nullopt) {
  Headers headers = {
      {"Authorization",
       "AWS4-HMAC-SHA256 Credential=" + key +
           "/20261010/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0"},
      {"X-Amz-Date", "20261010T120000Z"}};
  if (world) headers.emplace_back("X-Dinette-World", *world);
  return headers;
}

Json only(std::string_view name) {
  return Json::array({name});
}

}  // namespace

TEST_CASE("the header chooses the world, then an access key that is the name of a fork") {
  Forked f;
  CHECK(f.tables({}) == only("OfDefault"));
  CHECK(f.tables(signed_with("any")) == only("OfDefault"));
  CHECK(f.tables(signed_with("fork")) == only("OfFork"));
  CHECK(f.tables(signed_with("any", "fork")) == only("OfFork"));
  CHECK(f.tables(signed_with("fork", "default")) == only("OfDefault"));
  CHECK(f.tables({{"x-dinette-world", "fork"}}) == only("OfFork"));
}

TEST_CASE("a header that names no fork gets 400, and what creates one") {
  Forked f;
  for (const char* name : {"nothing", "", "Fork", "fork "}) {
    const Reply reply = f.db.call("ListTables", Json::object(), {{"X-Dinette-World", name}});
    CHECK(reply.status == 400);
    CHECK(reply.error() == "ValidationException");
    CHECK(reply.message() ==
          "X-Dinette-World names no world: '" + std::string(name) + "'. POST /_dinette/worlds creates one");
  }
  CHECK(f.db.worlds().names() == std::vector<std::string>{"fork"});
}

TEST_CASE("the name of a dropped fork reaches no other world, by access key and by header") {
  Forked f;
  REQUIRE(f.db.worlds().drop("fork").value());
  for (const Headers& headers : {signed_with("fork"), Headers{{"X-Dinette-World", "fork"}}}) {
    const Reply reply = f.db.call("CreateTable", on_demand("Leaked"), headers);
    CHECK(reply.status == 400);
    CHECK(reply.error() == "ValidationException");
    CHECK(reply.message() == "The world 'fork' was dropped at " +
                                 dinette::base::format_time(f.db.clock().now()) +
                                 ". POST /_dinette/worlds forks it again");
  }
  CHECK(f.tables(signed_with("other")) == only("OfDefault"));
  CHECK(f.tables(signed_with("fork", "default")) == only("OfDefault"));
  REQUIRE(f.db.worlds().add_fork("fork", f.db.worlds().pick("").value()->image().value()).value());
  CHECK(f.tables(signed_with("fork")) == only("OfDefault"));
}

TEST_CASE("neither header nor access key reaches another tenant's world") {
  dinette::dynamodb::ServiceOptions options;
  options.isolation.accounts = true;
  options.auth.credentials = {
      {"111111111111", {.secret = "", .session_token = "", .account = "222222222222"}}};
  Forked f(options);
  f.create("OfTenant", signed_with("333333333333"));
  f.create("OfOther", signed_with("111111111111"));
  CHECK(f.tables(signed_with("111111111111")) == only("OfOther"));
  CHECK(f.tables(signed_with("222222222222")) == only("OfOther"));
  CHECK(f.db.call("ListTables", Json::object(), signed_with("111111111111", "333333333333")).status == 400);
  CHECK(f.tables(signed_with("fork")) == only("OfFork"));
}

TEST_CASE("requests go by the clock of the world that they choose") {
  Forked f;
  REQUIRE(f.db.worlds()
              .find("fork")
              ->change_clock({.now = dinette::base::TimePoint(std::chrono::seconds(5))})
              .value() == dinette::tenancy::ClockOutcome::changed);
  f.create("Early", {{"X-Dinette-World", "fork"}});
  const Json described =
      f.db.call("DescribeTable", {{"TableName", "Early"}}, {{"X-Dinette-World", "fork"}}).json();
  CHECK(described.at("Table").at("CreationDateTime") == 5);
}

}  // namespace test::chosen_world_test
