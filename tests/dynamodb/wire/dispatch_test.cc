#include <algorithm>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/local_call.h"

#include "dynamodb/api/examples.h"
#include "dynamodb/wire/endpoint.h"
#include "support/dynamodb.h"

// docs/service/operations.md; wire.md sections 1 and 4.
namespace test::dispatch_test {

namespace api = dinette::dynamodb::api;
namespace wire = dinette::dynamodb::wire;

namespace {

Reply call_target(DynamoDb& db, std::string_view target) {
  return db.send("POST", "/", {{"X-Amz-Target", std::string(target)}}, "{}");
}

bool contains(std::span<const std::string_view> targets, std::string_view target) {
  return std::ranges::find(targets, target) != targets.end();
}

}  // namespace

TEST_CASE("all 62 operations of DynamoDB and the 4 of its streams are specified") {
  const auto streams = std::ranges::count_if(api::specified_operations, [](const auto& operation) {
    return operation.target.starts_with("DynamoDBStreams_20120810.");
  });
  CHECK(streams == 4);
  CHECK(std::size(api::specified_operations) == 66);
}

TEST_CASE("the served operations are those of the specs, each at the position of its target") {
  REQUIRE(wire::served_targets().size() == wire::endpoints().size());
  for (std::size_t i = 0; i < wire::endpoints().size(); ++i) {
    const std::string_view target = wire::served_targets()[i];
    INFO(target);
    const wire::Endpoint& endpoint = wire::endpoints()[i];
    CHECK(target.ends_with("." + std::string(endpoint.operation->name)));
    CHECK(endpoint.serve != nullptr);
  }
  for (const auto& operation : api::specified_operations) {
    INFO(operation.target);
    CHECK(contains(wire::served_targets(), operation.target) == operation.served);
    CHECK(contains(wire::planned_targets(), operation.target) == !operation.served);
  }
}

TEST_CASE("targets are in the order in which they are searched") {
  CHECK(std::ranges::is_sorted(wire::served_targets(), std::ranges::less_equal()));
  CHECK(std::ranges::is_sorted(wire::planned_targets(), std::ranges::less_equal()));
}

// Keep the words: public conformance suites tell by them that a case is to be skipped.
TEST_CASE(
    "a planned operation has the error type of one that the service does not know, and says what it is") {
  DynamoDb db;
  for (const auto& operation : api::specified_operations) {
    INFO(operation.target);
    const Reply reply = call_target(db, operation.target);
    const bool unknown = reply.status == 400 && reply.error() == "UnknownOperationException";
    CHECK(unknown == !operation.served);
    if (operation.served) continue;
    const std::string name(operation.target.substr(operation.target.find('.') + 1));
    CHECK(reply.body == R"({"__type":"com.amazon.coral.service#UnknownOperationException",)"
                        R"("message":"Dinette does not serve )" +
                            name + R"( yet"})");
  }
}

TEST_CASE("an operation is known under the target of its own service only") {
  DynamoDb db;
  for (const auto& operation : api::specified_operations) {
    const std::string_view name = operation.target.substr(operation.target.find('.') + 1);
    const bool streams = operation.target.starts_with("DynamoDBStreams");
    const std::string other =
        (streams ? "DynamoDB_20120810." : "DynamoDBStreams_20120810.") + std::string(name);
    CHECK(call_target(db, other).error() == "UnknownOperationException");
  }
}

TEST_CASE("the target of an operation is found by its name") {
  using dinette::dynamodb::target_of;
  for (const auto& operation : api::specified_operations)
    CHECK(target_of(operation.target.substr(operation.target.find('.') + 1)) == operation.target);
  CHECK(target_of("NoSuchOperation") == "DynamoDB_20120810.NoSuchOperation");
}

TEST_CASE("the constraint tables are coherent") {
  for (const wire::Endpoint& endpoint : wire::endpoints()) {
    const auto& operation = *endpoint.operation;
    INFO(operation.name);
    CHECK(std::ranges::all_of(operation.constraint_order,
                              [&](auto at) { return at < operation.input.size(); }));
    CHECK(operation.older_without < static_cast<int>(operation.input.size()));
    for (const auto& member : operation.input) CHECK(member.shape != nullptr);
  }
}

}  // namespace test::dispatch_test
