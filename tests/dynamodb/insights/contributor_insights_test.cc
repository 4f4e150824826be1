#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/tables.h"

// docs/service/insights-policies-account.md section 1.
namespace test::contributor_insights_test {
namespace {

Json of_table(const Json& more = Json::object()) {
  Json request = {{"TableName", "Tab"}};
  request.update(more);
  return request;
}

Json update(DynamoDb& db, std::string_view action, const Json& more = Json::object()) {
  return db.ok("UpdateContributorInsights", with(of_table(more), {{"ContributorInsightsAction", action}}));
}

Json described(DynamoDb& db, const Json& more = Json::object()) {
  return db.ok("DescribeContributorInsights", of_table(more));
}

const std::string both = "ACCESSED_AND_THROTTLED_KEYS";

Json answer(std::string_view status, const Json& more = {{"ContributorInsightsMode", both}}) {
  Json json = {{"TableName", "Tab"}, {"ContributorInsightsStatus", status}};
  json.update(more);
  return json;
}

std::string rule_start(const std::string& key) {
  return "DynamoDBContributorInsights-" + key + "-Tab-";
}

/// A table with pk and sk, and the global index byA.
void create(DynamoDb& db) {
  db.ok("CreateTable", table_request("Tab", "pk sk", "a", {global_index("byA", "a")}));
}

std::vector<dinette::observe::ContributorRule> counted(DynamoDb& db) {
  auto rules = dinette::dynamodb::contributors(*db.worlds().pick("").value());
  REQUIRE(rules.ok());
  return std::move(rules).value();
}

/// The counted keys of one rule, as "key: count".
std::vector<std::string> keys_of(const std::vector<dinette::observe::ContributorRule>& rules,
                                 std::string_view kind, std::string_view index = "") {
  std::vector<std::string> keys;
  for (const auto& rule : rules) {
    if (rule.index != index || rule.rule.find(kind) == std::string::npos) continue;
    for (const auto& key : rule.keys) keys.push_back(key.name + ": " + std::to_string(key.count));
  }
  return keys;
}

using Strings = std::vector<std::string>;

dinette::dynamodb::ServiceOptions slow() {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::seconds(2);
  return options;
}

/// An UpdateTable that adds the global index byA.
Json with_new_index() {
  const Json create = {{"Create", index_on("byA", Json::array({key("a", "HASH")}))}};
  return of_table({{"GlobalSecondaryIndexUpdates", Json::array({create})},
                   {"AttributeDefinitions", Json::array({attribute("a", "S")})}});
}

}  // namespace

TEST_CASE("insights that were never enabled are DISABLED and nothing else") {
  DynamoDb db;
  create(db);
  CHECK(described(db) == answer("DISABLED", Json::object()));
  CHECK(described(db, {{"IndexName", "byA"}}) == answer("DISABLED", {{"IndexName", "byA"}}));
  CHECK(update(db, "DISABLE").at("ContributorInsightsStatus") == "DISABLED");
  CHECK(described(db) == answer("DISABLED", Json::object()));
}

TEST_CASE("insights are enabled, described with their rules, and disabled") {
  DynamoDb db;
  create(db);
  CHECK(update(db, "ENABLE") == answer("ENABLING"));
  const Json enabled = described(db);
  CHECK(enabled.at("ContributorInsightsStatus") == "ENABLED");
  CHECK(enabled.at("ContributorInsightsMode") == both);
  CHECK(enabled.contains("LastUpdateDateTime"));
  const Json rules = enabled.at("ContributorInsightsRuleList");
  REQUIRE(rules.size() == 4);
  const Strings kinds = {"PKC", "SKC", "PKT", "SKT"};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    CHECK(rules.at(i).get<std::string>().starts_with(rule_start(kinds[i])));
  CHECK(update(db, "DISABLE") == answer("DISABLING"));
  const Json disabled = described(db);
  CHECK(disabled.at("ContributorInsightsStatus") == "DISABLED");
  CHECK(disabled.contains("LastUpdateDateTime"));
  CHECK(disabled.at("ContributorInsightsMode") == both);
  CHECK_FALSE(disabled.contains("ContributorInsightsRuleList"));
  CHECK(update(db, "DISABLE") == answer("DISABLED"));
  CHECK(described(db) == disabled);
  db.clock().advance(std::chrono::seconds(5));
  update(db, "ENABLE");
  CHECK(described(db).at("ContributorInsightsRuleList").at(0) != rules.at(0));
}

TEST_CASE("insights of a table with a hash key alone have two rules") {
  DynamoDb db;
  db.create_table("Tab");
  update(db, "ENABLE");
  const Json rules = described(db).at("ContributorInsightsRuleList");
  REQUIRE(rules.size() == 2);
  CHECK(rules.at(0).get<std::string>().starts_with(rule_start("PKC")));
  CHECK(rules.at(1).get<std::string>().starts_with(rule_start("PKT")));
}

TEST_CASE("a table may be named by its ARN, and is answered by its name") {
  DynamoDb db;
  create(db);
  const Json by_arn = {{"TableName", "arn:aws:dynamodb:us-east-1:000000000000:table/Tab"}};
  CHECK(update(db, "ENABLE", by_arn) == answer("ENABLING"));
  CHECK(described(db, by_arn).at("TableName") == "Tab");
  CHECK(db.ok("ListContributorInsights", by_arn).at("ContributorInsightsSummaries").size() == 1);
}

TEST_CASE("a mode changes, and the numbers of the rules stay") {
  DynamoDb db;
  create(db);
  update(db, "ENABLE");
  const Json before = described(db).at("ContributorInsightsRuleList");
  db.clock().advance(std::chrono::seconds(5));
  CHECK(update(db, "ENABLE") == answer("ENABLED"));
  const Json throttled = {{"ContributorInsightsMode", "THROTTLED_KEYS"}};
  CHECK(update(db, "ENABLE", throttled) == answer("ENABLING", throttled));
  const Json rules = described(db).at("ContributorInsightsRuleList");
  CHECK(rules == Json::array({before.at(2), before.at(3)}));
  CHECK(update(db, "ENABLE") == answer("ENABLING"));
  CHECK(described(db).at("ContributorInsightsRuleList") == before);
}

TEST_CASE("states last as long as those of tables") {
  DynamoDb db(slow());
  create(db);
  CHECK(db.call("DescribeContributorInsights", of_table()).error() == "ResourceNotFoundException");
  db.clock().advance(std::chrono::seconds(2));
  update(db, "ENABLE");
  CHECK(described(db).at("ContributorInsightsStatus") == "ENABLING");
  db.clock().advance(std::chrono::seconds(2));
  CHECK(described(db).at("ContributorInsightsStatus") == "ENABLED");
  update(db, "DISABLE");
  CHECK(described(db).at("ContributorInsightsStatus") == "DISABLING");
  CHECK(db.ok("ListContributorInsights", of_table()).at("ContributorInsightsSummaries") ==
        Json::array({answer("DISABLING")}));
  db.clock().advance(std::chrono::seconds(2));
  CHECK(described(db).at("ContributorInsightsStatus") == "DISABLED");
  db.ok("UpdateTable", of_table({{"TableClass", "STANDARD_INFREQUENT_ACCESS"}}));
  REQUIRE(describe(db, "Tab").at("TableStatus") == "UPDATING");
  CHECK(update(db, "ENABLE") == answer("ENABLING"));
  db.clock().advance(std::chrono::seconds(2));
  db.ok("DeleteTable", of_table());
  check_refused(db, "DescribeContributorInsights", of_table(),
                "Requested resource not found: Table: Tab not found", "ResourceNotFoundException");
}

TEST_CASE("an index must be ACTIVE, and then is, whenever it was made") {
  DynamoDb db(slow());
  db.ok("CreateTable", table_request("Tab", "pk sk", ""));
  db.clock().advance(std::chrono::seconds(2));
  db.ok("UpdateTable", with_new_index());
  const Json by_a = {{"IndexName", "byA"}};
  const Json request = with(of_table(by_a), {{"ContributorInsightsAction", "ENABLE"}});
  const std::string not_active =
      "Table or Index is not in a valid state to update Key Access Insights: IndexStatus must be ACTIVE to "
      "enable ContributorInsights.";
  CHECK(described(db, by_a).at("ContributorInsightsStatus") == "DISABLED");
  check_refused(db, "UpdateContributorInsights", request, not_active);
  db.clock().advance(std::chrono::seconds(2));  // which is filled now
  check_refused(db, "UpdateContributorInsights", request, not_active);
  db.jobs().run_due();
  CHECK(update(db, "ENABLE", by_a).at("ContributorInsightsStatus") == "ENABLING");
}

TEST_CASE("an index has insights of its own, which go with it") {
  DynamoDb db;
  create(db);
  const Json by_a = {{"IndexName", "byA"}};
  update(db, "ENABLE", by_a);
  CHECK(described(db).at("ContributorInsightsStatus") == "DISABLED");
  const Json index = described(db, by_a);
  CHECK(index.at("ContributorInsightsStatus") == "ENABLED");
  REQUIRE(index.at("ContributorInsightsRuleList").size() == 2);
  CHECK(index.at("ContributorInsightsRuleList")
            .at(0)
            .get<std::string>()
            .starts_with("DynamoDBContributorInsights-PKC-Tab-byA-"));
  db.ok("UpdateTable", of_table({{"GlobalSecondaryIndexUpdates", Json::array({{{"Delete", by_a}}})}}));
  CHECK(db.ok("ListContributorInsights", Json::object()) ==
        Json{{"ContributorInsightsSummaries", Json::array()}});
}

TEST_CASE("tables and indexes that are not there") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk sk", "b", {local_index("byB", "b")}));
  const Json action = {{"ContributorInsightsAction", "ENABLE"}};
  for (const std::string operation : {"DescribeContributorInsights", "UpdateContributorInsights"}) {
    const auto refused = [&](const Json& request, const std::string& message, std::string_view error) {
      check_refused(db, operation, operation.starts_with("Update") ? with(request, action) : request, message,
                    error);
    };
    refused({{"TableName", "Nope"}}, "Requested resource not found: Table: Nope not found",
            "ResourceNotFoundException");
    for (const std::string index : {"byA", "byB"})
      refused(of_table({{"IndexName", index}}),
              "Requested resource not found: Index: " + index + " not found for table: Tab",
              "ResourceNotFoundException");
    for (const std::string& index : {std::string("by"), std::string(256, 'i')})
      refused(of_table({{"IndexName", index}}),
              "IndexName must be at least 3 characters long and at most 255 characters long",
              "ValidationException");
    const std::string longest(255, 'i');
    refused(of_table({{"IndexName", longest}}),
            "Requested resource not found: Index: " + longest + " not found for table: Tab",
            "ResourceNotFoundException");
  }
  check_refused(db, "ListContributorInsights", {{"TableName", "Nope"}},
                "Requested resource not found: Table: Nope not found", "ResourceNotFoundException");
  check_refused(db, "ListContributorInsights", {{"MaxResults", 101}},
                enveloped("Value '101' at 'maxResults' failed to satisfy constraint: Member must have value "
                          "less than or equal to 100"));
}

TEST_CASE("insights are listed, of one table or all, page by page") {
  DynamoDb db;
  create(db);
  for (const std::string name : {"Other", "Third"}) {
    db.create_table(name);
    db.ok("UpdateContributorInsights", {{"TableName", name}, {"ContributorInsightsAction", "ENABLE"}});
  }
  update(db, "ENABLE");
  update(db, "ENABLE", {{"IndexName", "byA"}});
  const Json of_tab = Json::array(
      {answer("ENABLED"), answer("ENABLED", {{"IndexName", "byA"}, {"ContributorInsightsMode", both}})});
  CHECK(db.ok("ListContributorInsights", of_table()) == Json{{"ContributorInsightsSummaries", of_tab}});
  Json request = {{"MaxResults", 1}};
  Strings found;
  std::vector<std::size_t> sizes;  // whole tables
  for (;;) {
    const Json page = db.ok("ListContributorInsights", request);
    sizes.push_back(page.at("ContributorInsightsSummaries").size());
    for (const Json& one : page.at("ContributorInsightsSummaries"))
      found.push_back(one.at("TableName").get<std::string>() + one.value("IndexName", ""));
    if (!page.contains("NextToken")) break;
    request["NextToken"] = page.at("NextToken");
  }
  CHECK(found == Strings{"Other", "Tab", "TabbyA", "Third"});
  CHECK(sizes == std::vector<std::size_t>{1, 2, 1});
}

TEST_CASE("deleting a table removes its insights") {
  DynamoDb db;
  create(db);
  update(db, "ENABLE");
  db.ok("DeleteTable", of_table());
  create(db);
  CHECK(described(db) == answer("DISABLED", Json::object()));
}

TEST_CASE("the keys of reads and writes are counted, by partition and by item") {
  DynamoDb db;
  create(db);
  db.put("Tab", {{"pk", {{"S", "before"}}}, {"sk", {{"S", "1"}}}});
  update(db, "ENABLE");
  update(db, "ENABLE", {{"IndexName", "byA"}});
  const auto put = [&](const std::string& pk, const std::string& sk, const std::string& a) {
    db.put("Tab", {{"pk", {{"S", pk}}}, {"sk", {{"S", sk}}}, {"a", {{"S", a}}}});
  };
  put("x", "1", "red");
  put("x", "2", "red");
  put("y", "1", "blue");
  db.get("Tab", {{"pk", {{"S", "x"}}}, {"sk", {{"S", "1"}}}});
  db.ok("Query", of_table({{"KeyConditionExpression", "pk = :p"},
                           {"ExpressionAttributeValues", {{":p", {{"S", "x"}}}}}}));
  // A Query counts partitions, also where it names the key of an item.
  db.ok("Query", of_table({{"KeyConditionExpression", "pk = :p AND sk = :s"},
                           {"ExpressionAttributeValues", {{":p", {{"S", "x"}}}, {":s", {{"S", "1"}}}}}}));
  db.ok("Scan", of_table());
  const auto rules = counted(db);
  CHECK(keys_of(rules, "-PKC-") == Strings{"pk = x: 5", "pk = y: 1"});
  CHECK(keys_of(rules, "-SKC-") == Strings{"pk = x, sk = 1: 2", "pk = x, sk = 2: 1", "pk = y, sk = 1: 1"});
  CHECK(keys_of(rules, "-PKT-").empty());
  CHECK(keys_of(rules, "-PKC-", "byA") == Strings{"a = red: 2", "a = blue: 1"});
  update(db, "DISABLE");
  CHECK(keys_of(counted(db), "-PKC-").empty());
}

TEST_CASE("what is accessed is not counted in the mode of throttled keys") {
  DynamoDb db;
  create(db);
  update(db, "ENABLE", {{"ContributorInsightsMode", "THROTTLED_KEYS"}});
  db.put("Tab", {{"pk", {{"S", "before"}}}, {"sk", {{"S", "1"}}}});
  update(db, "ENABLE");
  db.put("Tab", {{"pk", {{"S", "after"}}}, {"sk", {{"S", "1"}}}});
  CHECK(keys_of(counted(db), "-PKC-") == Strings{"pk = after: 1"});
}

TEST_CASE("the 20 keys that are used most are listed") {
  DynamoDb db;
  db.create_table("Tab");
  update(db, "ENABLE");
  for (int i = 0; i < 25; ++i) db.put("Tab", {{"pk", {{"S", std::to_string(i)}}}});
  for (int i = 5; i < 25; ++i) db.put("Tab", {{"pk", {{"S", std::to_string(i)}}}});
  const Strings keys = keys_of(counted(db), "-PKC-");
  CHECK(keys.size() == 20);
  for (const std::string& key : keys) CHECK(key.ends_with(": 2"));
}

TEST_CASE("the keys of throttled requests are counted") {
  dinette::dynamodb::ServiceOptions options;
  options.throttle = true;
  DynamoDb db(options);
  db.ok("CreateTable", with(provisioned("Tab"), {{"ProvisionedThroughput", units(1, 1)}}));
  db.ok("UpdateContributorInsights", {{"TableName", "Tab"},
                                      {"ContributorInsightsAction", "ENABLE"},
                                      {"ContributorInsightsMode", "THROTTLED_KEYS"}});
  int throttled = 0;
  for (int i = 0; i < 400; ++i) {
    const Json item = {{"pk", {{"S", "hot"}}}};
    const Reply reply = db.call("PutItem", Json{{"TableName", "Tab"}, {"Item", item}});
    if (reply.error() == "ProvisionedThroughputExceededException") ++throttled;
  }
  REQUIRE(throttled > 0);
  const auto rules = counted(db);
  CHECK(keys_of(rules, "-PKT-") == Strings{"pk = hot: " + std::to_string(throttled)});
  CHECK(keys_of(rules, "-PKC-").empty());
}

}  // namespace test::contributor_insights_test
