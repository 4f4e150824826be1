#include <functional>

#include "dynamodb/batch.h"
#include "support/faulty_engine.h"
#include "support/tables.h"

// What others do to a table while an operation on it is under way: two servers share the data, and the second
// one acts when the first has looked at the table but does not have it for itself yet.
namespace test::table_races_test {
namespace {

using dinette::test::FaultyEngine;

struct TwoServers {
  std::shared_ptr<FaultyEngine> engine = std::make_shared<FaultyEngine>(dinette::kv::make_memory_engine());
  DynamoDb here;
  DynamoDb there;

  explicit TwoServers(const dinette::dynamodb::ServiceOptions& options = {})
      : here(options, engine), there(options, engine) {
    here.ok("CreateTable", on_demand());
  }

  /// What the second server is asked to do once, as soon as the first one starts a transaction.
  void meanwhile(std::function<void()> happening) {
    engine->before_transactions([this, happening = std::move(happening)](auto) {
      engine->before_transactions(nullptr);
      happening();
    });
  }
};

const Json music = {{"TableName", "Music"}};
const Json protection = {{"TableName", "Music"}, {"DeletionProtectionEnabled", true}};
const std::string not_found = "Requested resource not found: Table: Music not found";

dinette::dynamodb::ServiceOptions with_delay() {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::milliseconds(100);
  return options;
}

}  // namespace

TEST_CASE("a table that becomes protected while it is to be deleted stays") {
  TwoServers servers;
  servers.meanwhile([&] { servers.there.ok("UpdateTable", protection); });
  check_refused(servers.here, "DeleteTable", music,
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
                "protection first.");
  CHECK(describe(servers.here).at("DeletionProtectionEnabled") == true);
}

TEST_CASE("a table that is being updated while it is to be deleted stays") {
  TwoServers servers(with_delay());
  for (DynamoDb* server : {&servers.here, &servers.there}) server->clock().advance(std::chrono::seconds(1));
  servers.meanwhile([&] { servers.there.ok("UpdateTable", with(music, {{"TableClass", "STANDARD"}})); });
  check_refused(servers.here, "DeleteTable", music,
                "Attempt to change a resource which is still in use: Table: Music is in the process of being "
                "updated.",
                "ResourceInUseException");
  CHECK(describe(servers.here).at("TableStatus") == "UPDATING");
}

TEST_CASE("a table that another one deletes meanwhile is not found") {
  TwoServers servers;
  servers.meanwhile([&] { servers.there.ok("DeleteTable", music); });
  SECTION("by DeleteTable") {
    check_refused(servers.here, "DeleteTable", music, not_found, "ResourceNotFoundException");
  }
  SECTION("by UpdateTable") {
    check_refused(servers.here, "UpdateTable", protection, not_found, "ResourceNotFoundException");
  }
  check_refused(servers.here, "DescribeTable", music, not_found, "ResourceNotFoundException");
}

TEST_CASE("changes that were meant for a table do not reach a younger one of its name") {
  TwoServers servers;
  servers.meanwhile([&] {
    servers.there.ok("DeleteTable", music);
    servers.there.ok("CreateTable", on_demand());
  });
  const Json tags = {{"ResourceArn", arn_of("Music")}, {"Tags", {{{"Key", "a"}, {"Value", "b"}}}}};
  SECTION("DeleteTable") {
    check_refused(servers.here, "DeleteTable", music, not_found, "ResourceNotFoundException");
  }
  SECTION("UpdateTable") {
    check_refused(servers.here, "UpdateTable", protection, not_found, "ResourceNotFoundException");
  }
  SECTION("TagResource") {
    CHECK(servers.here.call("TagResource", tags).error() == "ResourceNotFoundException");
  }
  CHECK(describe(servers.here).at("DeletionProtectionEnabled") == false);
  CHECK(servers.here.ok("ListTagsOfResource", {{"ResourceArn", arn_of("Music")}}).at("Tags").empty());
}

TEST_CASE("DeleteTable and UpdateTable count what was written until they had the table for themselves") {
  TwoServers servers;
  servers.meanwhile([&] { servers.there.put("Music", {{"pk", {{"S", "a"}}}}); });
  const auto [operation, request] = GENERATE(std::pair<std::string, Json>("DeleteTable", music),
                                             std::pair<std::string, Json>("UpdateTable", protection));
  const Json description = servers.here.ok(operation, request).at("TableDescription");
  CHECK(description.at("ItemCount") == 1);
}

}  // namespace test::table_races_test
