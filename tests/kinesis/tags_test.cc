#include <string>

#include <catch2/catch.hpp>

#include "kinesis/fixture.h"

// docs/service/kinesis-data-streams.md section 7.
namespace test::kinesis::tags_test {
namespace {

Json tags_of(Kinesis& k, const Json& more = Json::object()) {
  Json request = {{"StreamName", "clicks"}};
  request.update(more);
  return k.ok("ListTagsForStream", request);
}

Json tag(const char* key, const char* value) {
  return {{"Key", key}, {"Value", value}};
}

}  // namespace

TEST_CASE("tags are added, changed, listed by key and removed") {
  Kinesis k;
  k.ok("CreateStream", {{"StreamName", "clicks"}, {"Tags", {{"team", "archive"}}}});
  k.ok("AddTagsToStream", {{"StreamName", "clicks"}, {"Tags", {{"team", "search"}, {"cost", ""}}}});
  CHECK(tags_of(k) ==
        Json{{"Tags", Json::array({tag("cost", ""), tag("team", "search")})}, {"HasMoreTags", false}});
  CHECK(tags_of(k, {{"Limit", 1}}) == Json{{"Tags", Json::array({tag("cost", "")})}, {"HasMoreTags", true}});
  CHECK(tags_of(k, {{"ExclusiveStartTagKey", "cost"}}) ==
        Json{{"Tags", Json::array({tag("team", "search")})}, {"HasMoreTags", false}});
  k.ok("RemoveTagsFromStream", {{"StreamName", "clicks"}, {"TagKeys", {"team", "none"}}});
  CHECK(tags_of(k).at("Tags") == Json::array({tag("cost", "")}));
}

TEST_CASE("a stream has at most 50 tags") {
  Kinesis k;
  k.create("clicks");
  Json tags;
  for (int i = 0; i < 50; ++i) tags["k" + std::to_string(i)] = "v";
  k.ok("AddTagsToStream", {{"StreamName", "clicks"}, {"Tags", tags}});
  CHECK(k.refusal("AddTagsToStream", {{"StreamName", "clicks"}, {"Tags", {{"another", "v"}}}}) ==
        "InvalidArgumentException: Failed to add tags to stream clicks under account 000000000000 because a "
        "given "
        "stream cannot have more than 50 tags associated with it.");
  k.ok("AddTagsToStream", {{"StreamName", "clicks"}, {"Tags", {{"k0", "w"}}}});
  CHECK(tags_of(k).at("Tags").size() == 50);
}

TEST_CASE("tags are validated") {
  Kinesis k;
  k.create("clicks");
  const auto refuse = [&](const Json& tags) {
    return k.refusal("AddTagsToStream", {{"StreamName", "clicks"}, {"Tags", tags}});
  };
  CHECK(refuse({{"a;b", "v"}}) ==
        "InvalidArgumentException: Some tags contain invalid characters. Valid characters: Unicode letters, "
        "digits, "
        "white space, _ . / = + - % @ :.");
  const std::string illegal =
      " stream clicks under account 000000000000 because some tags contained illegal characters. The allowed "
      "characters are Unicode letters, white-spaces, '_',',','/','=','+','-','@',':'.";
  CHECK(refuse({{"k", "50%"}}) == "InvalidArgumentException: Failed to add tags to" + illegal);
  CHECK(k.refusal("RemoveTagsFromStream", {{"StreamName", "clicks"}, {"TagKeys", Json::array({"50%"})}}) ==
        "InvalidArgumentException: Failed to remove tags from" + illegal);
  CHECK_THAT(
      refuse({{std::string(129, 'k'), "v"}}),
      Catch::EndsWith("Map keys must satisfy constraint: [Member must have length less than or equal to 128, "
                      "Member must have length greater than or equal to 1]"));
  CHECK_THAT(
      refuse({{"k", std::string(257, 'v')}}),
      Catch::EndsWith("Map value must satisfy constraint: [Member must have length less than or equal to "
                      "256]"));
  k.ok("AddTagsToStream", {{"StreamName", "clicks"}, {"Tags", {{"k", "\u00e4 _./=+-@:"}}}});
}

}  // namespace test::kinesis::tags_test
