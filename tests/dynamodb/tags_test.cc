#include "dynamodb/batch.h"

// Facts: ttl-tags.md section 2.
namespace test::tags_test {
namespace {

Json tag(std::string_view key, std::string_view value) {
  return {{"Key", key}, {"Value", value}};
}

Json tags(std::initializer_list<std::pair<std::string_view, std::string_view>> all) {
  Json list = Json::array();
  for (const auto& [key, value] : all) list.push_back(tag(key, value));
  return list;
}

Json numbered_tags(int count) {
  Json list = Json::array();
  for (int i = 1; i <= count; ++i) list.push_back(tag("k" + std::to_string(i), "v"));
  return list;
}

Json about_tab(const Json& more = Json::object()) {
  Json request = {{"ResourceArn", arn_of("Tab")}};
  request.update(more);
  return request;
}

Json add(DynamoDb& db, const Json& added) {
  return db.ok("TagResource", about_tab({{"Tags", added}}));
}

Json listed(DynamoDb& db) {
  return db.ok("ListTagsOfResource", about_tab());
}

const std::string missing = arn_of("Missing");

}  // namespace

TEST_CASE("tags are added, overwritten and listed in the order in which they came") {
  DynamoDb db;
  db.create_table("Tab");
  CHECK(listed(db) == Json{{"Tags", Json::array()}});
  CHECK(add(db, tags({{"stage", "test"}, {"Team", "a"}})) == Json::object());
  CHECK(add(db, tags({{"team", ""}, {"stage", "prod"}})) == Json::object());
  CHECK(listed(db) == Json{{"Tags", tags({{"stage", "prod"}, {"Team", "a"}, {"team", ""}})}});
}

TEST_CASE("tags are removed by key; keys that there are none of are ignored") {
  DynamoDb db;
  db.create_table("Tab");
  add(db, tags({{"a", "1"}, {"b", "2"}, {"c", "3"}}));
  const auto untag = [&](const Json& keys) { return db.ok("UntagResource", about_tab({{"TagKeys", keys}})); };
  CHECK(untag({"b", "B", "none"}) == Json::object());
  CHECK(listed(db)["Tags"] == tags({{"a", "1"}, {"c", "3"}}));
  CHECK(untag({"a", "c"}) == Json::object());
  CHECK(listed(db)["Tags"] == Json::array());
  CHECK(untag({"a"}) == Json::object());
}

TEST_CASE("tags given to CreateTable are listed, and go with the table") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand("Tab"), {{"Tags", tags({{"a", "1"}, {"b", "2"}})}}));
  CHECK(listed(db)["Tags"] == tags({{"a", "1"}, {"b", "2"}}));
  db.ok("DeleteTable", {{"TableName", "Tab"}});
  db.create_table("Tab");
  CHECK(listed(db)["Tags"] == Json::array());
}

TEST_CASE("tags outlive an update of the table, and leave its items alone") {
  DynamoDb db;
  db.create_table("Tab");
  add(db, tags({{"a", "1"}}));
  db.put("Tab", with_pk("a"));
  db.ok("UpdateTable", {{"TableName", "Tab"}, {"DeletionProtectionEnabled", true}});
  CHECK(listed(db)["Tags"] == tags({{"a", "1"}}));
  add(db, tags({{"b", "2"}}));
  CHECK(describe(db, "Tab")["DeletionProtectionEnabled"] == true);
  CHECK(db.get("Tab", with_pk("a")) == with_pk("a"));
}

TEST_CASE("a table has 50 tags at most") {
  DynamoDb db;
  db.create_table("Tab");
  check_refused(db, "TagResource", about_tab({{"Tags", numbered_tags(51)}}));
  add(db, numbered_tags(50));
  check_refused(db, "TagResource", about_tab({{"Tags", tags({{"one more", "v"}})}}));
  CHECK(listed(db)["Tags"] == numbered_tags(50));
  add(db, tags({{"k50", "other"}}));
  CHECK(listed(db)["Tags"][49] == tag("k50", "other"));
  db.ok("CreateTable", with(on_demand("Full"), {{"Tags", numbered_tags(50)}}));
  check_refused(db, "CreateTable", with(on_demand("Over"), {{"Tags", numbered_tags(51)}}));
}

TEST_CASE("tags have letters, digits, spaces and a few signs, and none is the service's own") {
  DynamoDb db;
  db.create_table("Tab");
  for (const char* text : {"azAZ09 +-=._:/@", "Stra\u00dfe \u540d", "AWS", "my-aws:tag"}) {
    add(db, tags({{text, text}}));
    CHECK(listed(db)["Tags"].back() == tag(text, text));
  }
  const Json before = listed(db);
  for (const Json& wrong :
       {tag("a,b", ""), tag("a", "#"), tag("a\n", ""), tag("a", "<b>"), tag("aws:stack", "x")}) {
    check_refused(db, "TagResource", about_tab({{"Tags", Json::array({tag("good", ""), wrong})}}));
    check_refused(db, "CreateTable", with(on_demand("Other"), {{"Tags", Json::array({wrong})}}));
  }
  CHECK(listed(db) == before);
}

TEST_CASE("lengths of tags are the model's constraints") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string failed = " failed to satisfy constraint: Member must have length ";
  const auto refused = [&](const Json& wrong, const std::string& message) {
    check_refused(db, "TagResource", about_tab({{"Tags", Json::array({wrong})}}), enveloped(message));
  };
  const std::string k129(129, 'k');
  const std::string v257(257, 'v');
  refused(tag("", "v"), "Value '' at 'tags.1.member.key'" + failed + "greater than or equal to 1");
  refused(tag(k129, "v"),
          "Value '" + k129 + "' at 'tags.1.member.key'" + failed + "less than or equal to 128");
  refused(tag("k", v257),
          "Value '" + v257 + "' at 'tags.1.member.value'" + failed + "less than or equal to 256");
  check_refused(db, "UntagResource", about_tab({{"TagKeys", {"k", ""}}}),
                enveloped("Value '' at 'tagKeys.2.member'" + failed + "greater than or equal to 1"));
  check_refused(db, "TagResource", about_tab(),
                enveloped("Value null at 'tags' failed to satisfy constraint: Member must not be null"));
  std::string longest;
  for (int i = 0; i < 128; ++i) longest += "\u00e9";  // characters count, not bytes
  add(db, tags({{longest, longest + longest}}));
}

TEST_CASE("no tags and no keys change nothing") {
  DynamoDb db;
  db.create_table("Tab");
  add(db, tags({{"a", "1"}}));
  CHECK(add(db, Json::array()) == Json::object());
  CHECK(db.ok("UntagResource", about_tab({{"TagKeys", Json::array()}})) == Json::object());
  CHECK(listed(db)["Tags"] == tags({{"a", "1"}}));
}

TEST_CASE("a resource that is no table's ARN is refused") {
  DynamoDb db;
  db.create_table("Tab");
  for (const std::string arn : {"not-a-valid-arn", "Tab", "arn:aws:s3:::bucket",
                                "arn:aws:dynamodb:us-east-1:000000000000:table/Tab/index/i"}) {
    const std::string message = "Invalid TableArn: Invalid ResourceArn provided as input " + arn;
    check_refused(db, "ListTagsOfResource", {{"ResourceArn", arn}}, message);
    check_refused(db, "TagResource", {{"ResourceArn", arn}, {"Tags", tags({{"a", "1"}})}}, message);
    check_refused(db, "UntagResource", {{"ResourceArn", arn}, {"TagKeys", {"a"}}}, message);
  }
}

TEST_CASE("tags of a table that is not there are not for this caller to list") {
  DynamoDb db;
  db.create_table("Tab");
  for (const std::string& arn : {missing, std::string("arn:aws:dynamodb:us-east-1:111111111111:table/Tab"),
                                 std::string("arn:aws:dynamodb:eu-west-1:000000000000:table/Tab")}) {
    check_refused(db, "ListTagsOfResource", {{"ResourceArn", arn}},
                  "User: arn:aws:iam::000000000000:root is not authorized to perform: "
                  "dynamodb:ListTagsOfResource on resource: " +
                      arn,
                  "AccessDeniedException");
  }
}

TEST_CASE("a table that is not there cannot be tagged") {
  DynamoDb db;
  const std::string message = "Requested resource not found: Table: Missing not found";
  check_refused(db, "TagResource", {{"ResourceArn", missing}, {"Tags", tags({{"a", "1"}})}}, message,
                "ResourceNotFoundException");
  check_refused(db, "UntagResource", {{"ResourceArn", missing}, {"TagKeys", {"a"}}}, message,
                "ResourceNotFoundException");
}

TEST_CASE("a table that is not ACTIVE keeps its tags as they are") {
  using std::chrono::seconds;
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = seconds(1);
  DynamoDb db(options);
  const auto check_in_use = [&](const std::string& state) {
    const std::string message =
        "Attempt to change a resource which is still in use: Table is being " + state + ": Tab";
    check_refused(db, "TagResource", about_tab({{"Tags", tags({{"a", "2"}})}}), message,
                  "ResourceInUseException");
    check_refused(db, "UntagResource", about_tab({{"TagKeys", {"a"}}}), message, "ResourceInUseException");
    CHECK(listed(db)["Tags"] == tags({{"a", "1"}}));
  };
  db.ok("CreateTable", with(on_demand("Tab"), {{"Tags", tags({{"a", "1"}})}}));
  check_in_use("created");
  db.clock().advance(seconds(1));
  db.ok("UpdateTable", {{"TableName", "Tab"}, {"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
  check_in_use("updated");
  db.clock().advance(seconds(1));
  CHECK(add(db, tags({{"a", "1"}})) == Json::object());
  CHECK(describe(db, "Tab")["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS");
  db.ok("DeleteTable", {{"TableName", "Tab"}});
  check_in_use("deleted");
}

TEST_CASE("a token that nobody was given is refused") {
  DynamoDb db;
  db.create_table("Tab");
  check_refused(db, "ListTagsOfResource", about_tab({{"NextToken", "x"}}));
  CHECK_FALSE(listed(db).contains("NextToken"));
}

}  // namespace test::tags_test
