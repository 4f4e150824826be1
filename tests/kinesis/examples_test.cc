#include "kinesis/api/examples.h"

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

namespace test::kinesis::examples_test {
namespace {

namespace api = dinette::kinesis::api;

/// The stream that api-specs/README.md promises to the examples: clicks, with two shards and a record in
/// each.
void create_clicks(Kinesis& k) {
  k.create("clicks", 2);
  k.put("clicks", "a", "one");
  k.put("clicks", "b", "two");
}

/// Returns true if `answer` has everything that `part` has: members of objects at any depth; lists whole.
bool contains(const Json& answer, const Json& part) {
  if (!part.is_object() || !answer.is_object()) return answer == part;
  return std::ranges::all_of(part.items(), [&](const auto& member) {
    return answer.contains(member.key()) && contains(answer.at(member.key()), member.value());
  });
}

}  // namespace

TEST_CASE("every example of the specs is answered as it says") {
  for (const api::Example& example : api::examples) {
    Kinesis k;
    create_clicks(k);
    const Reply reply = k.call(example.operation, example.request);
    INFO(example.operation << ", " << example.title << ": " << example.request << " -> " << reply.body);
    CHECK(reply.status == example.status);
    const Json answer = reply.body.empty() ? Json::object() : reply.json();
    CHECK(contains(answer, Json::parse(example.answer)));
  }
}

TEST_CASE("operations that are not served yet have the error of unknown ones, and a sentence") {
  Kinesis k;
  int planned = 0;
  for (const auto& operation : api::specified_operations) {
    if (operation.served) continue;
    ++planned;
    const std::string name(operation.target.substr(operation.target.find('.') + 1));
    CHECK(k.refusal(name, {}) == "UnknownOperationException: Dinette does not serve " + name + " yet");
  }
  CHECK(planned > 0);
  CHECK(k.refusal("DrainStream", {}) == "UnknownOperationException: ");
}

}  // namespace test::kinesis::examples_test
