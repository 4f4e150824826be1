#include <catch2/catch.hpp>
#include <malloc.h>

#include "dinette/kv/value.h"

#include "dynamodb/wire/endpoint.h"
#include "support/dynamodb.h"
#include "support/random_requests.h"
#include "support/random_seed.h"

// A hundred thousand requests that no service could accept: each is refused, and nothing comes of them.
namespace test::malformed_requests_test {

namespace kv = dinette::kv;
namespace wire = dinette::dynamodb::wire;

namespace {

const int requests = dinette::test::rounds_of(100'000);
const int warm_up = dinette::test::rounds_of(20'000);  // caches and buffers have grown by then

/// What the heap may grow by from then on: some fragments, but no two hundred bytes a request.
constexpr std::size_t allowed_growth = 16 * 1024 * 1024;

void fill(DynamoDb& db) {
  db.create_table("Music");
  db.create_table("Numbers", "N", "B");
  db.ok("UpdateTable", {{"TableName", "Music"},
                        {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}}}});
  for (const char* pk : {"pk", "sk", "a", "b", "things"}) {
    db.put("Music", {{"pk", {{"S", pk}}},
                     {"a", {{"S", "text"}}},
                     {"n", {{"N", "1"}}},
                     {"things", {{"L", Json::array({{{"S", "x"}}})}}},
                     {"tree", {{"M", {{"x", {{"N", "2"}}}}}}}});
  }
  for (int i = 0; i < 5; ++i)
    db.put("Numbers", {{"pk", {{"N", std::to_string(i)}}}, {"sk", {{"B", "AAE="}}}});
}

/// Every byte that the server keeps.
std::vector<std::pair<std::string, std::string>> content(const kv::Engine& engine) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto snapshot = engine.snapshot();
  REQUIRE(snapshot.ok());
  const auto cursor = (*snapshot)->cursor({});
  REQUIRE(cursor.ok());
  for (auto at = (*cursor)->first(); at.ok() && *at; at = (*cursor)->next()) {
    all.emplace_back((*cursor)->key(), (*cursor)->value());
  }
  return all;
}

std::size_t heap_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

TEST_CASE("the requests are good before they are broken") {
  // The others want what has to be made before, such as a backup or an index of vectors, or change what these
  // need.
  const std::vector<std::string_view> answered = {"BatchExecuteStatement",
                                                  "BatchGetItem",
                                                  "BatchWriteItem",
                                                  "CreateBackup",
                                                  "CreateTable",
                                                  "DeleteItem",
                                                  "DescribeContinuousBackups",
                                                  "DescribeContributorInsights",
                                                  "DescribeEndpoints",
                                                  "DescribeKinesisStreamingDestination",
                                                  "DescribeLimits",
                                                  "DescribeStream",
                                                  "DescribeTable",
                                                  "DescribeTimeToLive",
                                                  "EnableKinesisStreamingDestination",
                                                  "ExecuteStatement",
                                                  "ExecuteTransaction",
                                                  "GetItem",
                                                  "GetRecords",
                                                  "GetShardIterator",
                                                  "ListBackups",
                                                  "ListBulkOperations",
                                                  "ListContributorInsights",
                                                  "ListExports",
                                                  "ListGlobalTables",
                                                  "ListImports",
                                                  "ListStreams",
                                                  "ListTables",
                                                  "ListTagsOfResource",
                                                  "PutItem",
                                                  "PutResourcePolicy",
                                                  "Query",
                                                  "Scan",
                                                  "TagResource",
                                                  "TransactGetItems",
                                                  "TransactWriteItems",
                                                  "UntagResource",
                                                  "UpdateContinuousBackups",
                                                  "UpdateContributorInsights",
                                                  "UpdateItem"};
  Random random(dinette::test::random_seed());
  DynamoDb db;
  fill(db);
  RequestMaker maker(random);
  constexpr int tries = 60;  // of which a third and more succeed
  for (const std::string_view name : answered) {
    const auto endpoint = std::ranges::find_if(
        wire::endpoints(), [&](const wire::Endpoint& one) { return one.operation->name == name; });
    REQUIRE(endpoint != wire::endpoints().end());
    int good = 0;
    for (int i = 0; i < tries; ++i) {
      if (db.call(name, maker.request(*endpoint->operation)).status == 200) ++good;
    }
    INFO(name);
    CHECK(good > 0);
  }
}

TEST_CASE("a hundred thousand malformed requests end in a 4xx each, with nothing changed") {
  Random random(dinette::test::random_seed());
  DynamoDb db;
  fill(db);
  const auto before = content(db.engine());
  REQUIRE(before.size() > 10);
  const auto values_before = kv::Value::live_buffers();
  RequestMaker maker(random);
  RequestBreaker breaker(random);
  std::size_t heap_before = 0;
  for (int i = 0; i < requests; ++i) {
    if (i == warm_up) heap_before = heap_in_use();
    const std::size_t position = pick(random, wire::endpoints().size());
    const auto& operation = *wire::endpoints()[position].operation;
    const std::string target(wire::served_targets()[position]);
    std::string notes;
    const std::string body = breaker.broken(operation, maker.request(operation), notes);
    const Reply reply = db.send("POST", "/", {{"X-Amz-Target", target}}, body);
    if (reply.status >= 400 && reply.status < 500 && !reply.error().empty()) continue;
    // A batch of statements is answered one by one (docs/service/partiql.md section 7).
    if (operation.name == "BatchExecuteStatement" && reply.status == 200) continue;
    FAIL("request " << i << " of " << operation.name << ", broken by " << notes << ": "
                    << body.substr(0, 2000) << " -> " << reply.status << " " << reply.body);
  }
  const std::size_t heap_after = heap_in_use();
  CHECK(heap_after < heap_before + allowed_growth);
  CHECK(kv::Value::live_buffers() == values_before);
  CHECK((content(db.engine()) == before));
  CHECK(db.ok("ListTables", Json::object()).at("TableNames") == Json::array({"Music", "Numbers"}));
}

}  // namespace test::malformed_requests_test
