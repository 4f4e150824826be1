#include "support/worlds.h"

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/tables.h"

// What a request finds is its world's: data, work behind the answers, and time.
namespace test::worlds_test {
namespace {

namespace base = dinette::base;
namespace dynamodb = dinette::dynamodb;

using namespace std::chrono_literals;

dynamodb::ServiceOptions with_delay() {
  dynamodb::ServiceOptions options;
  options.state_delay = 100ms;
  return options;
}

/// A clock that is later each time that it is asked.
class RunningClock final : public base::Clock {
 public:
  base::TimePoint now() const override { return base::TimePoint(1s * ++asked_); }
  std::optional<std::chrono::microseconds> until(base::TimePoint) const override { return std::nullopt; }
  int asked() const { return asked_; }

 private:
  mutable std::atomic<int> asked_ = 1'000'000;
};

/// A service whose worlds have another clock than its signatures.
struct TwoClocks {
  RunningClock world_clock;
  base::ManualClock real_clock{base::TimePoint(1'791'633'600s)};  // 2026-10-10T12:00:00Z
  base::SeededIds ids{1};
  dinette::tenancy::Worlds worlds{test_worlds(), world_clock, ids};
  dynamodb::Service service;

  explicit TwoClocks(dynamodb::ServiceOptions options = {})
      : service(std::move(options), worlds, real_clock, ids) {}

  Json call(std::string_view operation, const Json& body, std::string_view authorization = "") {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::string text = body.dump();
    const std::array<dinette::http::Header, 4> headers{{{"Host", "localhost"},
                                                        {"X-Amz-Target", target},
                                                        {"X-Amz-Date", "20261010T120000Z"},
                                                        {"Authorization", authorization}}};
    dinette::http::Response reply;
    service.handle({.method = "POST", .target = "/", .headers = headers, .body = text, .remote = "test"},
                   reply);
    return Json::parse(reply.body);
  }
};

}  // namespace

TEST_CASE("a request has one moment, however many steps it takes") {
  TwoClocks db;
  const int before = db.world_clock.asked();
  db.call("CreateTable", provisioned());
  CHECK(db.world_clock.asked() == before + 1);
  db.call("UpdateTable", {{"TableName", "Music"}, {"ProvisionedThroughput", units(9, 9)}});
  CHECK(db.world_clock.asked() == before + 2);
  db.call("PutItem", {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "a"}}}}}});
  CHECK(db.world_clock.asked() == before + 3);
}

TEST_CASE("signatures are verified against real time, not the clock of a world") {
  dynamodb::ServiceOptions options;
  options.auth.mode = dinette::aws::AuthMode::verify;
  TwoClocks db(options);
  const std::string authorization =
      "AWS4-HMAC-SHA256 Credential=unknown/20261010/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=host;x-amz-date;x-amz-target, Signature=0";
  const Json now = db.call("ListTables", Json::object(), authorization);
  CHECK(now.at("message") ==
        "The security token included in the request is invalid.");  // only the key is wrong
  db.real_clock.advance(16min);
  const std::string late = db.call("ListTables", Json::object(), authorization).at("message");
  CHECK(late.starts_with("Signature expired: 20261010T120000Z"));
}

TEST_CASE("a table whose deletion is over is gone for reads, which leave it to its job") {
  DynamoDb db(with_delay());
  db.ok("CreateTable", on_demand());
  db.clock().advance(100ms);
  db.put("Music", {{"pk", {{"S", "a"}}}});
  db.ok("DeleteTable", {{"TableName", "Music"}});
  db.jobs().run_due();
  db.clock().advance(100ms);

  const auto kept = [&] {
    return db.worlds().pick("").value()->store(dynamodb::face().id).catalog().open("Music").value() !=
           nullptr;
  };
  CHECK(db.call("DescribeTable", Json{{"TableName", "Music"}}).error() == "ResourceNotFoundException");
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
  CHECK(kept());
  db.jobs().run_due();
  CHECK_FALSE(kept());
}

TEST_CASE("a name is free when the deletion of its table is over, its job done or not") {
  DynamoDb db(with_delay());
  db.ok("CreateTable", on_demand());
  db.clock().advance(100ms);
  db.put("Music", {{"pk", {{"S", "a"}}}});
  db.ok("DeleteTable", {{"TableName", "Music"}});
  db.clock().advance(100ms);
  db.ok("CreateTable", on_demand());
  db.jobs().run_due();  // the job of the older table leaves this one alone
  db.clock().advance(100ms);
  db.jobs().run_due();
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  CHECK(db.ok("Scan", {{"TableName", "Music"}}).at("Count") == 0);
}

TEST_CASE("a fork continues with the indexes and deletions of its origin") {
  DynamoDb db(with_delay());
  db.ok("CreateTable", on_demand());
  db.ok("CreateTable", on_demand("Going"));
  db.clock().advance(100ms);
  db.put("Music", {{"pk", {{"S", "a"}}}, {"a", {{"S", "x"}}}});
  db.ok("DeleteTable", {{"TableName", "Going"}});
  db.ok("UpdateTable", {{"TableName", "Music"},
                        {"AttributeDefinitions", Json::array({attribute("a", "S")})},
                        {"GlobalSecondaryIndexUpdates",
                         Json::array({{{"Create", index_on("byA", Json::array({key("a", "HASH")}))}}})}});
  REQUIRE(db.worlds().fork("", "copy").ok());
  REQUIRE(db.worlds().fork("copy", "").ok());  // what the first world was at is gone now
  db.clock().advance(100ms);
  db.jobs().run_due();
  CHECK(describe(db).at("GlobalSecondaryIndexes").at(0).at("IndexStatus") == "ACTIVE");
  CHECK(describe(db).at("GlobalSecondaryIndexes").at(0).at("ItemCount") == 1);
  CHECK_FALSE(db.worlds().pick("").value()->store(dynamodb::face().id).catalog().open("Going").value());
}

}  // namespace test::worlds_test
