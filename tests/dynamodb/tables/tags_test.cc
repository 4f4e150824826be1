#include "dynamodb/batch.h"

// docs/service/ttl-tags.md section 2.
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

void refused(DynamoDb& db, const Json& added, const std::string& message) {
  check_refused(db, "TagResource", about_tab({{"Tags", added}}), message);
}

/// All three operations on this resource are refused.
void refused_all(DynamoDb& db, const std::string& arn, const std::string& message,
                 std::string_view error = "ValidationException") {
  check_refused(db, "ListTagsOfResource", {{"ResourceArn", arn}}, message, error);
  check_refused(db, "TagResource", {{"ResourceArn", arn}, {"Tags", tags({{"a", "1"}})}}, message, error);
  check_refused(db, "UntagResource", {{"ResourceArn", arn}, {"TagKeys", {"a"}}}, message, error);
}

std::string not_found(const std::string& arn) {
  return "Requested resource not found: ResourceArn: " + arn + " not found";
}

const std::string too_many = "Number of Tags exceed the current limit for the provided ResourceArn";

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
  refused(db, numbered_tags(51), too_many);
  add(db, numbered_tags(50));
  refused(db, tags({{"one more", "v"}}), too_many);
  CHECK(listed(db)["Tags"] == numbered_tags(50));
  add(db, tags({{"k50", "other"}}));
  CHECK(listed(db)["Tags"][49] == tag("k50", "other"));
  Json keys = Json::array();
  for (int i = 0; i < 51; ++i) keys.push_back("k" + std::to_string(i));
  check_refused(db, "UntagResource", about_tab({{"TagKeys", keys}}), too_many);
  db.ok("CreateTable", with(on_demand("Full"), {{"Tags", numbered_tags(50)}}));
  check_refused(db, "CreateTable", with(on_demand("Over"), {{"Tags", numbered_tags(51)}}), too_many);
}

TEST_CASE("all tags of a table have 10240 bytes at most") {
  DynamoDb db;
  db.create_table("Tab");
  // Characters of two bytes: 40 keys of 3 bytes and values of 253 bytes are the limit.
  Json full = Json::array();
  std::string value = "x";
  for (int i = 0; i < 126; ++i) value += "\u00e9";
  for (int i = 100; i < 140; ++i) full.push_back(tag(std::to_string(i), value));
  add(db, full);
  refused(db, tags({{"k", ""}}), "Tag set size 10241 bytes is above max size limit of 10240 bytes");
  CHECK(listed(db)["Tags"] == full);
  full.push_back(tag("more", "x"));
  check_refused(db, "CreateTable", with(on_demand("Over"), {{"Tags", full}}),
                "Tag set size 10245 bytes is above max size limit of 10240 bytes");
}

TEST_CASE("tags have letters and digits of any script, spaces and a few signs") {
  DynamoDb db;
  db.create_table("Tab");
  for (const char* text :
       {"azAZ09 +-=._:/@", "Stra\u00dfe \u540d", "\u0663", " \u00a0x", "AWS", "my-aws:tag"}) {
    add(db, tags({{text, text}}));
    CHECK(listed(db)["Tags"].back() == tag(text, text));
  }
  const Json before = listed(db);
  const auto all_refused = [&](const Json& wrong, const std::string& message) {
    refused(db, Json::array({tag("good", ""), wrong}), message);
    check_refused(db, "CreateTable", with(on_demand("Other"), {{"Tags", Json::array({wrong})}}), message);
  };
  for (const std::string text : {"\U0001f600", "#", "%", ",", "'", "\"", "(",  ")", "[", "]", "{",
                                 "}",          "&", "*", ";", "?", "|",  "\\", "<", ">", "~", "\n"}) {
    all_refused(tag("a" + text, ""), "The Tag Key provided is invalid, Key: a" + text);
    all_refused(tag("a", "b" + text), "The Tag Value provided is invalid, Value: b" + text);
  }
  CHECK(listed(db) == before);
}

TEST_CASE("no tag is the service's own") {
  DynamoDb db;
  db.create_table("Tab");
  for (const std::string key : {"aws:stack", "AWS:x", "aWs:"}) {
    const std::string message = "Tag Key cannot be prefixed with aws:, Key: " + key;
    refused(db, tags({{key, "x"}}), message);
    check_refused(db, "UntagResource", about_tab({{"TagKeys", {key}}}), message);
    check_refused(db, "CreateTable", with(on_demand("Other"), {{"Tags", tags({{key, "x"}})}}), message);
  }
}

TEST_CASE("a key has 1 to 128 characters, a value up to 256, and both are there") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string k129(129, 'k');
  const std::string v257(257, 'v');
  const std::string bad_key = "The Tag Key provided is invalid, Key: ";
  const std::string bad_value = "The Tag Value provided is invalid, Value: ";
  refused(db, tags({{"", "v"}}), bad_key);
  refused(db, tags({{k129, "v"}}), bad_key + k129);
  refused(db, Json::array({{{"Value", "v"}}}), bad_key + "null");
  refused(db, tags({{"k", v257}}), bad_value + v257);
  refused(db, Json::array({{{"Key", "k"}}}), bad_value + "null");
  check_refused(db, "UntagResource", about_tab({{"TagKeys", {"k", ""}}}), bad_key);
  check_refused(db, "UntagResource", about_tab({{"TagKeys", {k129}}}), bad_key + k129);
  check_refused(db, "TagResource", about_tab(),
                enveloped("Value null at 'tags' failed to satisfy constraint: Member must not be null"));
  CHECK(listed(db)["Tags"] == Json::array());
  std::string longest;
  for (int i = 0; i < 128; ++i) longest += "\u00e9";  // characters count, not bytes
  add(db, tags({{longest, longest + longest}}));
}

TEST_CASE("a key is given once") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string message = "Duplicate Tag Keys provided as input: Duplicate Tag Key found a";
  const Json twice = tags({{"a", "1"}, {"A", "1"}, {"a", "1"}});
  refused(db, twice, message);
  check_refused(db, "CreateTable", with(on_demand("Other"), {{"Tags", twice}}), message);
}

TEST_CASE("no tags and no keys are refused before the table is looked for; a new table may have none") {
  DynamoDb db;
  check_refused(db, "TagResource", about_tab({{"Tags", Json::array()}}),
                "Atleast one Tag needs to be provided as Input.");
  check_refused(db, "UntagResource", about_tab({{"TagKeys", Json::array()}}),
                "Atleast one Tag Key needs to be provided as Input.");
  db.ok("CreateTable", with(on_demand("Tab"), {{"Tags", Json::array()}}));
}

TEST_CASE("a resource is a table or a stream, by its ARN") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string invalid = "One or more parameter values were invalid: ";
  for (const std::string text : {"not-a-valid-arn", "Tab", "arn:"})
    refused_all(db, text, invalid + "ARNs must start with 'arn:': " + text);
  for (const std::string part : {"/index/i", "/export/01"}) {
    const std::string arn = arn_of("Tab") + part;
    refused_all(
        db, arn,
        invalid +
            "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn);
  }
  for (const std::string& arn :
       {std::string("arn:aws:s3:::bucket"), std::string("arn:aws:dynamodb:us-east-1:000000000000:global/Tab"),
        arn_of("Tab") + "/backup/01"}) {
    refused_all(db, arn, invalid + "Provided Arn is not a DynamoDB resource arn: " + arn);
  }
}

TEST_CASE("a resource is in the caller's region and account") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string elsewhere = "arn:aws:dynamodb:eu-west-1:000000000000:table/Tab";
  refused_all(db, elsewhere, "Invalid TableArn: Invalid ResourceArn provided as input " + elsewhere);
  refused_all(db, "arn:aws:dynamodb:us-east-1:111111111111:table/Tab", "Access is denied",
              "AccessDeniedException");
}

TEST_CASE("a table or stream that is not there") {
  DynamoDb db;
  db.ok("CreateTable",
        with(on_demand("Tab"),
             {{"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}}));
  for (const std::string& arn : {arn_of("Missing"), arn_of("tab"), arn_of("Missing") + "/stream/x",
                                 arn_of("Tab") + "/stream/2020-01-01T00:00:00.000"}) {
    refused_all(db, arn, not_found(arn), "ResourceNotFoundException");
  }
}

TEST_CASE("a stream has tags of its own") {
  DynamoDb db;
  const Json table =
      db.ok("CreateTable",
            with(on_demand("Tab"),
                 {{"Tags", tags({{"of", "table"}})},
                  {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}}));
  const Json stream = {{"ResourceArn", table.at("TableDescription").at("LatestStreamArn")}};
  const auto of_stream = [&] { return db.ok("ListTagsOfResource", stream)["Tags"]; };
  CHECK(of_stream() == Json::array());
  db.ok("TagResource", with(stream, {{"Tags", tags({{"of", "stream"}})}}));
  CHECK(of_stream() == tags({{"of", "stream"}}));
  CHECK(listed(db)["Tags"] == tags({{"of", "table"}}));
  db.ok("UntagResource", with(stream, {{"TagKeys", {"of"}}}));
  CHECK(of_stream() == Json::array());
  CHECK(listed(db)["Tags"] == tags({{"of", "table"}}));
}

TEST_CASE("a stream that is disabled has no tags, and the next one begins without any") {
  DynamoDb db;
  const auto enabled = [](bool on) {
    Json stream = {{"StreamEnabled", on}};
    if (on) stream["StreamViewType"] = "KEYS_ONLY";
    return Json{{"StreamSpecification", stream}};
  };
  const auto update = [&](bool on) {
    const Json table = db.ok("UpdateTable", with({{"TableName", "Tab"}}, enabled(on))).at("TableDescription");
    return table.at("LatestStreamArn").get<std::string>();
  };
  db.create_table("Tab");
  const std::string first = update(true);
  db.ok("TagResource", {{"ResourceArn", first}, {"Tags", tags({{"a", "1"}})}});
  update(false);
  refused_all(db, first, not_found(first), "ResourceNotFoundException");
  const std::string second = update(true);
  refused_all(db, first, not_found(first), "ResourceNotFoundException");
  CHECK(db.ok("ListTagsOfResource", {{"ResourceArn", second}})["Tags"] == Json::array());
}

TEST_CASE("a table is tagged while it is updated, not before it is created nor while it is deleted") {
  using std::chrono::seconds;
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = seconds(1);
  DynamoDb db(options);
  db.ok("CreateTable", with(on_demand("Tab"), {{"Tags", tags({{"a", "1"}})}}));
  refused_all(db, arn_of("Tab"), not_found(arn_of("Tab")), "ResourceNotFoundException");
  db.clock().advance(seconds(1));
  CHECK(listed(db)["Tags"] == tags({{"a", "1"}}));
  db.ok("UpdateTable", {{"TableName", "Tab"}, {"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
  add(db, tags({{"b", "2"}}));
  CHECK(listed(db)["Tags"] == tags({{"a", "1"}, {"b", "2"}}));
  db.clock().advance(seconds(1));
  CHECK(listed(db)["Tags"] == tags({{"a", "1"}, {"b", "2"}}));
  CHECK(describe(db, "Tab")["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS");
  db.ok("DeleteTable", {{"TableName", "Tab"}});
  const std::string in_use =
      "Attempt to change a resource which is still in use: Table is being deleted: Tab";
  check_refused(db, "TagResource", about_tab({{"Tags", tags({{"a", "2"}})}}), in_use,
                "ResourceInUseException");
  check_refused(db, "UntagResource", about_tab({{"TagKeys", {"a"}}}), in_use, "ResourceInUseException");
}

TEST_CASE("a token that was not given is ignored") {
  DynamoDb db;
  db.create_table("Tab");
  add(db, tags({{"a", "1"}}));
  CHECK(db.ok("ListTagsOfResource", about_tab({{"NextToken", "x"}})) == listed(db));
  CHECK_FALSE(listed(db).contains("NextToken"));
}

}  // namespace test::tags_test
