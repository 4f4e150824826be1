#include "app/listen/forward_changes.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/transfer/moving_tables.h"
#include "http/fixture.h"
#include "support/dynamodb.h"

namespace dinette::app::forward_changes_test {
namespace {

using test::Json;

/// Changes of the table "Orders" of a server in this process, forwarded.
struct Forwarding {
  test::DynamoDb db;
  test::TestOperations operations{db};
  std::mutex mutex;
  std::string posted;  ///< guarded by the mutex
  http::Running running{[this](const http::Request& request, http::Response&) {
    const std::lock_guard lock(mutex);
    posted += request.body;
  }};
  base::ManualClock clock;
  base::SeededIds ids{1};
  std::vector<std::string> said;

  void create() {
    db.clock().advance(std::chrono::seconds(1));  // the names of streams are moments
    db.ok("CreateTable",
          {{"TableName", "Orders"},
           {"BillingMode", "PAY_PER_REQUEST"},
           {"KeySchema", Json::array({{{"AttributeName", "pk"}, {"KeyType", "HASH"}}})},
           {"AttributeDefinitions", Json::array({{{"AttributeName", "pk"}, {"AttributeType", "S"}}})},
           {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}}}});
  }
  void drop() { db.ok("DeleteTable", {{"TableName", "Orders"}}); }
  void put(const std::string& key) { db.put("Orders", {{"pk", {{"S", key}}}}); }
  bool has(const std::string& key) {
    const std::lock_guard lock(mutex);
    return posted.find("\"" + key + "\"") != std::string::npos;
  }

  /// Forwards; `between` is called at every wait with their count, until it returns false.
  void forward(const std::function<bool(int)>& between) {
    std::stop_source stop;
    int count = 0;
    const Json table = db.ok("DescribeTable", {{"TableName", "Orders"}});
    const ForwardSettings settings{
        .tables = operations,
        .streams = operations,
        .patience = {[] { return false; },
                     [&](std::chrono::milliseconds) {
                       if (!between(count++)) stop.request_stop();
                     }},
        .table = "Orders",
        .place = lambda::read_function_url("http://127.0.0.1:" + std::to_string(running.port) + "/").value(),
        .clock = clock,
        .ids = ids,
        .show = [](const lambda::DeliveryRecord&) {},
        .say = [this](const std::string& sentence) { said.push_back(sentence); }};
    const auto ended = forward_changes(settings, table["Table"]["LatestStreamArn"], stop.get_token());
    INFO((ended ? "" : ended.error()));
    CHECK(ended.ok());
  }
};

constexpr const char* has_new_stream =
    "the table Orders has a new stream, as when it is created again: forwarding its changes";

}  // namespace

TEST_CASE_METHOD(Forwarding, "what is written to a table that is created again is forwarded") {
  create();
  put("before");
  forward([this](int count) {
    if (count == 0) put("old");
    if (count == 1) {
      put("last");
      drop();
      create();
      put("new");
    }
    return count < 2 || !has("new");
  });
  CHECK_FALSE(has("before"));
  CHECK(has("old"));
  CHECK(has("last"));
  CHECK(said == std::vector<std::string>{has_new_stream});
}

TEST_CASE_METHOD(Forwarding, "without a table a listener says that it waits, and waits") {
  create();
  forward([this](int count) {
    if (count == 0) drop();
    if (count == 30) create();
    if (count == 30) put("new");
    return count < 30 || !has("new");
  });
  REQUIRE(said.size() == 2);
  CHECK(said[0].starts_with("DescribeTable failed: ResourceNotFoundException"));
  CHECK(said[0].ends_with(". Waiting for another stream of the table"));
  CHECK(said[1] == has_new_stream);
}

}  // namespace dinette::app::forward_changes_test
