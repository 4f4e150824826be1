#include "lambda/api/examples.h"

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "lambda/fixture.h"

namespace test::lambda::examples_test {
namespace {

namespace api = dinette::lambda::api;

/// Returns true if `answer` has everything that `part` has: members of objects at any depth; lists whole.
bool contains(const Json& answer, const Json& part) {
  if (!part.is_object() || !answer.is_object()) return answer == part;
  return std::ranges::all_of(part.items(), [&](const auto& member) {
    return answer.contains(member.key()) && contains(answer.at(member.key()), member.value());
  });
}

/// An example with the UUID of the mapping that api-specs/README.md promises.
Json with_uuid(std::string_view example, const std::string& uuid) {
  constexpr std::string_view name = "uuid-of-work";
  std::string text(example);
  if (const auto at = text.find(name); at != std::string::npos) text.replace(at, name.size(), uuid);
  return Json::parse(text);
}

}  // namespace

TEST_CASE("every example of the specs is answered as it says") {
  for (const api::Example& example : api::examples) {
    Lambda l;
    const std::string uuid = l.map("work");
    const Reply reply = l.call(example.operation, with_uuid(example.request, uuid));
    INFO(example.operation << ", " << example.title << ": " << example.request << " -> " << reply.body);
    CHECK(reply.status == example.status);
    Json answer = reply.body.empty() ? Json::object() : reply.json();
    if (!reply.error.empty()) answer["__type"] = reply.error;  // as the answers of AWS JSON have it
    CHECK(contains(answer, with_uuid(example.answer, uuid)));
  }
}

}  // namespace test::lambda::examples_test
