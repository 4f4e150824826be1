#include "definitions/members.h"

#include <fstream>
#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/definitions/read_node.h"

#include "definitions/member_kinds.h"

namespace dinette::definitions::members_test {
namespace {

Node yaml(std::string_view text) {
  auto node = read_yaml(text, "file.yaml");
  if (!node) FAIL(node.error().text());
  return *node;
}

std::string converted(std::string_view text) {
  Definitions to;
  Node node = yaml(text);
  const bool ok = convert_members(node, "Orders", to);
  CHECK(ok == to.errors.empty());
  return ok ? to_json(node) : to.errors.front().place.text() + ": " + to.errors.front().text;
}

constexpr std::string_view smallest =
    "{TableName: Orders, KeySchema: [{AttributeName: id, KeyType: HASH}], "
    "AttributeDefinitions: [{AttributeName: id, AttributeType: S}]}";

std::string error_of_table(std::string_view create) {
  Definitions to;
  add_table({.id = {}, .name = {}, .create = yaml(create), .follow_ups = {}, .items = {}, .place = {}}, to);
  CHECK(to.tables.size() + to.errors.size() == 1);
  return to.errors.empty() ? "none" : to.errors.front().text;
}

nlohmann::json specification(const std::string& path) {
  std::ifstream stream(std::string(DINETTE_API_SPECS) + "/dynamodb/" + path);
  return nlohmann::json::parse(stream);
}

/// Returns S of "list<map<String, S>>".
std::string innermost(std::string type) {
  while (type.find('<') != std::string::npos) {
    type = type.substr(type.find('<') + 1, type.rfind('>') - type.find('<') - 1);
    if (const auto comma = type.rfind(", "); comma != std::string::npos) type = type.substr(comma + 2);
  }
  return type;
}

MemberKind kind_of(const std::string& type, const nlohmann::json& structures) {
  if (type == "Integer" || type == "Long") return MemberKind::integer;
  if (type == "Boolean") return MemberKind::boolean;
  if (type.starts_with("list<")) return MemberKind::list;
  return structures.contains(type) ? MemberKind::map : MemberKind::text;
}

void check_members(const nlohmann::json& members, const nlohmann::json& structures,
                   std::set<std::string>& seen) {
  for (const auto& member : members) {
    const std::string type = member["type"];
    INFO(member["name"]);
    CHECK(member_kind(member["name"].get<std::string>()) == kind_of(type, structures));
    const std::string inner = innermost(type);
    if (structures.contains(inner) && seen.insert(inner).second)
      check_members(structures[inner], structures, seen);
  }
}

}  // namespace

TEST_CASE("Members have the types that the specifications of the operations give them", "[definitions]") {
  const auto structures = specification("shapes.json")["structures"];
  for (const std::string operation :
       {"CreateTable", "UpdateTimeToLive", "UpdateContinuousBackups", "UpdateContributorInsights",
        "EnableKinesisStreamingDestination", "PutResourcePolicy", "ImportTable", "TagResource"}) {
    std::set<std::string> seen;
    check_members(specification("operations/" + operation + ".json")["input"], structures, seen);
  }
  CHECK_FALSE(member_kind("Colour"));
}

TEST_CASE("Scalars are converted to the types of their members", "[definitions]") {
  CHECK(converted("{ReadCapacityUnits: '5', WriteCapacityUnits: 6}") ==
        R"({"ReadCapacityUnits":5,"WriteCapacityUnits":6})");
  CHECK(converted("{BatchSize: '007', MaximumRetryAttempts: '-1'}") ==
        R"({"BatchSize":7,"MaximumRetryAttempts":-1})");
  CHECK(converted("Filters: [{Enabled: 'true'}, {Enabled: No}, {Enabled: on}, {Enabled: false}]") ==
        R"({"Filters":[{"Enabled":true},{"Enabled":false},{"Enabled":true},{"Enabled":false}]})");
  CHECK(converted("{TableName: 2024, Tags: [{Key: 1, Value: true}]}") ==
        R"({"TableName":"2024","Tags":[{"Key":"1","Value":"true"}]})");
  CHECK(converted("{NonKeyAttributes: [1, on, x]}") == R"({"NonKeyAttributes":["1","on","x"]})");
}

TEST_CASE("Members that are null are removed, and unknown ones left as they are", "[definitions]") {
  CHECK(converted("{TableName: ~, Projection: {NonKeyAttributes: null}}") == R"({"Projection":{}})");
  CHECK(converted("{Colour: 5, Shade: {Enabled: 'yes'}}") == R"({"Colour":5,"Shade":{"Enabled":true}})");
}

TEST_CASE("What cannot be converted is an error that names the member and its line", "[definitions]") {
  CHECK(
      converted("ProvisionedThroughput:\n  ReadCapacityUnits: many") ==
      "file.yaml, line 2: table \"Orders\", ProvisionedThroughput.ReadCapacityUnits: \"many\" is no integer");
  CHECK(converted("{GlobalSecondaryIndexes: [{}, {IndexName: [a]}]}") ==
        "file.yaml, line 1: table \"Orders\", GlobalSecondaryIndexes[1].IndexName: a list is no text");
  CHECK(converted("{Enabled: 1}") == "file.yaml, line 1: table \"Orders\", Enabled: \"1\" is no boolean");
  CHECK(converted("{Projection: ALL}") ==
        "file.yaml, line 1: table \"Orders\", Projection: \"ALL\" is no map");
  CHECK(converted("{Tags: {team: a}}") == "file.yaml, line 1: table \"Orders\", Tags: a map is no list");
  CHECK(converted("{BatchSize: 1.5}") ==
        "file.yaml, line 1: table \"Orders\", BatchSize: \"1.5\" is no integer");
  CHECK(converted("{BatchSize: '9999999999999999999'}") ==
        "file.yaml, line 1: table \"Orders\", BatchSize: \"9999999999999999999\" is no integer");
  CHECK(converted("{BatchSize: ''}") == "file.yaml, line 1: table \"Orders\", BatchSize: \"\" is no integer");
}

TEST_CASE("A table needs a name of the service's form, a key schema and attribute definitions",
          "[definitions]") {
  CHECK(error_of_table(smallest) == "none");
  CHECK(error_of_table("{TableName: ab}") ==
        "table \"ab\": a name has 3 to 255 of the characters a-z, A-Z, 0-9, _, . and -");
  CHECK(error_of_table("{TableName: 'a b c'}").starts_with("table \"a b c\": a name has"));
  CHECK(error_of_table("{KeySchema: []}").starts_with("table \"\": a name has"));
  CHECK(error_of_table("{TableName: " + std::string(256, 'a') + "}").find("a name has") != std::string::npos);
  CHECK(error_of_table("{TableName: Orders, AttributeDefinitions: [{AttributeName: id}], KeySchema: []}") ==
        "table \"Orders\" has no KeySchema");
  CHECK(error_of_table("{TableName: Orders, KeySchema: [{AttributeName: id}]}") ==
        "table \"Orders\" has no AttributeDefinitions");
}

TEST_CASE("A table that is added has converted members, no empty lists, and one name", "[definitions]") {
  Definitions to;
  TableDefinition table;
  table.name = "Orders";
  table.create = yaml(smallest);
  table.create.set("TableName", Node::text("other"));
  table.create.set("DeletionProtectionEnabled", Node::text("true"));
  table.create.set("Projection", yaml("{NonKeyAttributes: []}"));
  table.create.set("Tags", Node::list());
  table.follow_ups.push_back({"UpdateTimeToLive", yaml("{TimeToLiveSpecification: {Enabled: 'true'}}")});
  add_table(table, to);
  REQUIRE(to.tables.size() == 1);
  const TableDefinition& added = to.tables.front();
  CHECK(added.id == "Orders");
  CHECK(to_json(*added.create.find("TableName")) == "\"Orders\"");
  CHECK(to_json(*added.create.find("DeletionProtectionEnabled")) == "true");
  CHECK(to_json(*added.create.find("Projection")) == "{}");
  CHECK_FALSE(added.create.has("Tags"));
  REQUIRE(added.follow_up("UpdateTimeToLive") != nullptr);
  CHECK(to_json(*added.follow_up("UpdateTimeToLive")) == R"({"TimeToLiveSpecification":{"Enabled":true}})");
  CHECK(added.follow_up("UpdateContinuousBackups") == nullptr);

  add_table(table, to);
  CHECK(to.tables.size() == 1);
  REQUIRE(to.errors.size() == 1);
  CHECK(to.errors.front().text == "table \"Orders\" is defined twice");
}

TEST_CASE("A table with a follow-up that cannot be converted is not added", "[definitions]") {
  Definitions to;
  TableDefinition table;
  table.create = yaml(smallest);
  table.follow_ups.push_back({"UpdateTimeToLive", yaml("{TimeToLiveSpecification: {Enabled: maybe}}")});
  add_table(table, to);
  CHECK(to.tables.empty());
  REQUIRE(to.errors.size() == 1);
  CHECK(to.errors.front().text ==
        "table \"Orders\", TimeToLiveSpecification.Enabled: \"maybe\" is no boolean");
}

}  // namespace dinette::definitions::members_test
