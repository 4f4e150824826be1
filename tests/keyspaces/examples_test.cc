#include "keyspaces/api/examples.h"

#include <algorithm>
#include <chrono>
#include <string>

#include <catch2/catch.hpp>

#include "keyspaces/fixture.h"

namespace test::keyspaces::examples_test {
namespace {

namespace api = dinette::keyspaces::api;

// 2026-10-10T12:00:00Z
constexpr dinette::base::TimePoint start{std::chrono::seconds(1'791'633'600)};

/// The keyspace that api-specs/README.md promises to the examples.
void create_shop(Keyspaces& k) {
  k.session().clock().set(start);
  k.session().ok("CREATE KEYSPACE shop WITH replication = {'class': 'SingleRegionStrategy'}");
  k.session().ok("CREATE TYPE shop.money (amount decimal, currency text)");
  k.session().ok(
      "CREATE TABLE shop.orders (customer text, number int, total decimal, PRIMARY KEY (customer, number)) "
      "WITH cdc = true");
}

/// Returns true if `answer` has everything that `part` has: members of objects at any depth; lists whole.
bool contains(const Json& answer, const Json& part) {
  if (!part.is_object() || !answer.is_object()) return answer == part;
  return std::ranges::all_of(part.items(), [&](const auto& member) {
    return answer.contains(member.key()) && contains(answer.at(member.key()), member.value());
  });
}

}  // namespace

// docs/service-keyspaces/control-plane.md sections 1 to 5
TEST_CASE("every example of the specs of Keyspaces is answered as it says") {
  for (const api::Example& example : api::examples) {
    Keyspaces k;
    create_shop(k);
    const Reply reply = k.call(example.operation, example.request);
    INFO(example.operation << ", " << example.title << ": " << example.request << " -> " << reply.body);
    CHECK(reply.status == example.status);
    const Json answer = reply.body.empty() ? Json::object() : reply.json();
    CHECK(contains(answer, Json::parse(example.answer)));
  }
}

TEST_CASE("all operations of Keyspaces are served") {
  for (const auto& operation : api::specified_operations) CHECK(operation.served);
  CHECK(std::size(api::specified_operations) == 23);
}

}  // namespace test::keyspaces::examples_test
