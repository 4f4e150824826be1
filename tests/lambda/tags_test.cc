#include <string>

#include <catch2/catch.hpp>

#include "lambda/fixture.h"

// docs/service/triggers.md section 1.
namespace test::lambda::tags_test {
namespace {

std::string arn_of(Lambda& l, const std::string& uuid) {
  return l.get(uuid).json().at("EventSourceMappingArn");
}

}  // namespace

TEST_CASE("tags are given with a mapping, added, changed, removed and listed") {
  Lambda l;
  const std::string arn = arn_of(l, l.map("work", table_stream, {{"Tags", {{"team", "search"}}}}));
  CHECK(l.tags(arn).body == R"({"Tags":{"team":"search"}})");
  const Reply tagged = l.tag(arn, {{"team", "archive"}, {"a & b", ""}});
  CHECK(tagged.status == 204);
  CHECK(tagged.body.empty());
  CHECK(l.tags(arn).json().at("Tags") == Json{{"team", "archive"}, {"a & b", ""}});
  CHECK(l.untag(arn, {"a & b", "none"}).status == 204);
  CHECK(l.tags(arn).json().at("Tags") == Json{{"team", "archive"}});
  CHECK(l.untag(arn, {"team"}).status == 204);
  CHECK(l.tags(arn).body == R"({"Tags":{}})");
}

TEST_CASE("tags change nothing else of a mapping, and can be changed while it is busy") {
  Lambda l({{.state_delay = std::chrono::seconds(2)}});
  const std::string uuid = l.map("work");
  const Json before = l.get(uuid).json();
  CHECK(l.tag(arn_of(l, uuid), {{"team", "search"}}).status == 204);
  CHECK(l.get(uuid).json() == before);
}

TEST_CASE("only mappings that there are have tags") {
  Lambda l;
  const std::string expected =
      "404 ResourceNotFoundException User: M The resource you requested does not exist.";
  const std::string uuid = l.map("work");
  const std::string arn = arn_of(l, uuid);
  for (const std::string& other :
       {std::string("arn:aws:lambda:us-east-1:000000000000:function:work"), uuid, arn + "0", "x" + arn}) {
    CHECK(l.tags(other).refusal() == expected);
    CHECK(l.tag(other, {{"team", "search"}}).refusal() == expected);
    CHECK(l.untag(other, {"team"}).refusal() == expected);
  }
  l.remove(uuid);
  CHECK(l.tags(arn).refusal() == expected);
}

TEST_CASE("tags to add, and keys of those to remove, are required") {
  Lambda l;
  const std::string arn = arn_of(l, l.map("work"));
  CHECK(l.send("POST", "/2017-03-31/tags/" + arn, "{}").refusal() ==
        "400 ValidationException: 1 validation error detected: Value null at 'tags' failed to satisfy "
        "constraint: Member "
        "must not be null");
  CHECK(l.untag(arn, {}).refusal() ==
        "400 ValidationException: 1 validation error detected: Value null at 'tagKeys' failed to satisfy "
        "constraint: "
        "Member must not be null");
}

}  // namespace test::lambda::tags_test
