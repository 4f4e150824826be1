#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "definitions/reading.h"

/// Keyspaces, types and tables of Amazon Keyspaces.
// docs/definitions/cloudformation.md section 7.
namespace dinette::definitions::keyspaces_test {
namespace {

using nlohmann::json;
using reading::Texts;

constexpr std::string_view shop =
    "Resources:\n  Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: shop}}\n";

/// Everything that a table can have.
constexpr std::string_view rich =
    "KeyspaceName: !Ref Shop, TableName: baskets, "
    "PartitionKeyColumns: [{ColumnName: shop, ColumnType: int}, {ColumnName: user, ColumnType: uuid}], "
    "ClusteringKeyColumns: [{Column: {ColumnName: day, ColumnType: date}, OrderBy: DESC}, "
    "{Column: {ColumnName: number, ColumnType: int}}], "
    "RegularColumns: [{ColumnName: total, ColumnType: decimal}], "
    "BillingMode: {Mode: PROVISIONED, ProvisionedThroughput: {ReadCapacityUnits: '5', WriteCapacityUnits: "
    "3}}, "
    "PointInTimeRecoveryEnabled: 'true', ClientSideTimestampsEnabled: true, DefaultTimeToLive: '3600', "
    "EncryptionSpecification: {EncryptionType: CUSTOMER_MANAGED_KMS_KEY, KmsKeyIdentifier: arn:key}, "
    "CdcSpecification: {Status: ENABLED, ViewType: NEW_IMAGE, Tags: [{Key: a, Value: 1}]}, "
    "AutoScalingSpecifications: {ReadCapacityAutoScaling: {AutoScalingDisabled: 'false', MinimumUnits: 1, "
    "MaximumUnits: '9', ScalingPolicy: {TargetTrackingScalingPolicyConfiguration: {TargetValue: 70, "
    "DisableScaleIn: true, ScaleInCooldown: 1, ScaleOutCooldown: 2}}}, WriteCapacityAutoScaling: "
    "{MinimumUnits: 1}}, ReplicaSpecifications: [{Region: eu-west-1, ReadCapacityUnits: 7, "
    "ReadCapacityAutoScaling: {MaximumUnits: 8}}], WarmThroughput: {ReadUnitsPerSecond: 12, "
    "WriteUnitsPerSecond: '13'}, Tags: [{Key: team, Value: 02}]";

/// Reads resources, one per line, after the keyspace `Shop`.
Definitions read_after_shop(std::string_view resources) {
  return reading::read(std::string(shop) + std::string(resources));
}

Definitions table(std::string_view properties) {
  return read_after_shop("  Baskets: {Type: AWS::Cassandra::Table, Properties: {" + std::string(properties) +
                         "}}\n");
}

/// Returns the input of the operation that makes the last resource; else the first error.
std::string last(const Definitions& definitions) {
  if (!definitions.errors.empty())
    return definitions.errors.front().place.text() + ": " + definitions.errors.front().text;
  return to_json(definitions.keyspaces.back().create);
}

/// Returns a member of the table with these properties and those that it needs.
std::string member(std::string_view properties, std::string_view name) {
  const Definitions definitions =
      table("KeyspaceName: shop, PartitionKeyColumns: [{ColumnName: id, ColumnType: int}], " +
            std::string(properties));
  CHECK(reading::texts(definitions.errors).empty());
  const Node* const found = definitions.keyspaces.back().create.find(name);
  return found == nullptr ? "none" : to_json(*found);
}

json specification(const std::string& path) {
  std::ifstream stream(std::string(DINETTE_API_SPECS) + "/keyspaces/" + path);
  return json::parse(stream);
}

/// Checks that an input has only members that the API has, of their types.
void check_members(const json& given, const json& members, const json& structures) {
  for (const auto& [name, value] : given.items()) {
    INFO(name);
    const auto same = [&name = name](const json& member) { return member["name"] == name; };
    const auto known = std::find_if(members.begin(), members.end(), same);
    REQUIRE(known != members.end());
    std::string type = (*known)["type"];
    const bool is_list = type.starts_with("list<");
    CHECK(value.is_array() == is_list);
    if (is_list) type = type.substr(5, type.size() - 6);
    for (const json& one : is_list ? value : json::array({value})) {
      CHECK(one.is_object() == structures.contains(type));
      CHECK(one.is_number() == (type == "Integer" || type == "Long" || type == "Double"));
      CHECK(one.is_boolean() == (type == "Boolean"));
      if (structures.contains(type)) check_members(one, structures[type], structures);
    }
  }
}

}  // namespace

TEST_CASE("A keyspace is an input of CreateKeyspace", "[definitions]") {
  const Definitions definitions = reading::read(
      "Resources:\n  Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: shop, Tags: [{Key: a, "
      "Value: 1}], "
      "ReplicationSpecification: {ReplicationStrategy: MULTI_REGION, RegionList: [us-east-1, "
      "eu-west-1]}}}\n");
  CHECK(last(definitions) ==
        R"({"keyspaceName":"shop","tags":[{"key":"a","value":"1"}],"replicationSpecification":)"
        R"({"replicationStrategy":"MULTI_REGION","regionList":["us-east-1","eu-west-1"]}})");
  REQUIRE(definitions.keyspaces.size() == 1);
  CHECK(definitions.keyspaces[0].kind == KeyspacesResource::Kind::keyspace);
  CHECK(definitions.keyspaces[0].id == "Shop");
  CHECK(definitions.keyspaces[0].full_name() == "shop");
  CHECK(definitions.keyspaces[0].place.text() == "template.yaml, line 2");
  CHECK(last(reading::read(
            "Resources: {Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: shop, "
            "ReplicationSpecification: {RegionList: []}}}}\n")) ==
        R"({"keyspaceName":"shop","replicationSpecification":{"replicationStrategy":"SINGLE_REGION"}})");
}

TEST_CASE("A type has small letters, as the service gives it, and its fields", "[definitions]") {
  const Definitions definitions = read_after_shop(
      "  Address: {Type: AWS::Cassandra::Type, Properties: {KeyspaceName: !Ref Shop, TypeName: Address, "
      "Fields: [{FieldName: street, FieldType: text}, {FieldName: zip, FieldType: int}]}}\n");
  CHECK(last(definitions) ==
        R"({"keyspaceName":"shop","typeName":"address",)"
        R"("fieldDefinitions":[{"name":"street","type":"text"},{"name":"zip","type":"int"}]})");
  CHECK(definitions.keyspaces.back().full_name() == "shop.address");
}

TEST_CASE("A table of a keyspace has one schema of its three lists of columns, and settings with their types",
          "[definitions]") {
  const Definitions definitions = table(rich);
  CHECK(reading::texts(definitions.warnings).empty());
  REQUIRE(definitions.keyspaces.size() == 2);
  const KeyspacesResource& made = definitions.keyspaces[1];
  CHECK(made.full_name() == "shop.baskets");
  CHECK(definitions.tables.empty());
  const json create = json::parse(last(definitions));
  CHECK(create["schemaDefinition"] == json::parse(R"({
    "allColumns": [{"name":"shop","type":"int"},{"name":"user","type":"uuid"},{"name":"day","type":"date"},
                   {"name":"number","type":"int"},{"name":"total","type":"decimal"}],
    "partitionKeys": [{"name":"shop"},{"name":"user"}],
    "clusteringKeys": [{"name":"day","orderBy":"DESC"},{"name":"number","orderBy":"ASC"}]})"));
  CHECK(create["capacitySpecification"] ==
        json::parse(R"({"throughputMode":"PROVISIONED","readCapacityUnits":5,"writeCapacityUnits":3})"));
  CHECK(create["pointInTimeRecovery"] == json::parse(R"({"status":"ENABLED"})"));
  CHECK(create["clientSideTimestamps"] == json::parse(R"({"status":"ENABLED"})"));
  CHECK(create["defaultTimeToLive"] == 3600);
  CHECK(create["encryptionSpecification"] ==
        json::parse(R"({"type":"CUSTOMER_MANAGED_KMS_KEY","kmsKeyIdentifier":"arn:key"})"));
  CHECK(create["cdcSpecification"] ==
        json::parse(R"({"status":"ENABLED","viewType":"NEW_IMAGE","tags":[{"key":"a","value":"1"}]})"));
  CHECK(
      create["replicaSpecifications"] ==
      json::parse(
          R"([{"region":"eu-west-1","readCapacityUnits":7,"readCapacityAutoScaling":{"maximumUnits":8}}])"));
  CHECK(create["warmThroughputSpecification"] ==
        json::parse(R"({"readUnitsPerSecond":12,"writeUnitsPerSecond":13})"));
  CHECK(create["tags"] == json::parse(R"([{"key":"team","value":"02"}])"));
}

TEST_CASE("Inputs have members of the API alone, of its types", "[definitions]") {
  const json structures = specification("shapes.json")["structures"];
  check_members(json::parse(last(table(rich))), specification("operations/CreateTable.json")["input"],
                structures);
  check_members(json::parse(last(reading::read(shop))),
                specification("operations/CreateKeyspace.json")["input"], structures);
}

TEST_CASE("What is off by itself is not said, and what may be turned off is", "[definitions]") {
  CHECK(member("ClientSideTimestampsEnabled: false", "clientSideTimestamps") == "none");
  CHECK(member("PointInTimeRecoveryEnabled: false", "pointInTimeRecovery") == R"({"status":"DISABLED"})");
  CHECK(member("BillingMode: {Mode: ON_DEMAND}", "capacitySpecification") ==
        R"({"throughputMode":"PAY_PER_REQUEST"})");
  CHECK(member("Tags: []", "tags") == "none");
}

TEST_CASE("Timestamps of clients of a keyspace are those of all its tables", "[definitions]") {
  const Definitions definitions = reading::read(
      "Resources:\n"
      "  Baskets: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: shop, TableName: baskets, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: int}]}}\n"
      "  Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: shop, "
      "ClientSideTimestampsEnabled: "
      "'true'}}\n"
      "  Other: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: other, TableName: baskets, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: int}]}}\n");
  REQUIRE(definitions.keyspaces.size() == 3);
  CHECK(to_json(*definitions.keyspaces[0].create.find("clientSideTimestamps")) == R"({"status":"ENABLED"})");
  CHECK(to_json(definitions.keyspaces[1].create) == R"({"keyspaceName":"shop"})");
  CHECK_FALSE(definitions.keyspaces[2].create.has("clientSideTimestamps"));
}

TEST_CASE("Properties of a wrong type are errors with their places, unknown ones are left out",
          "[definitions]") {
  CHECK(last(table("KeyspaceName: shop, PartitionKeyColumns: [{ColumnName: [a]}]")) ==
        "template.yaml, line 3: Keyspaces table \"Baskets\", PartitionKeyColumns[0].ColumnName: a list is no "
        "text");
  CHECK(last(table("KeyspaceName: shop, TableName: baskets, DefaultTimeToLive: soon")) ==
        "template.yaml, line 3: Keyspaces table \"baskets\", DefaultTimeToLive: \"soon\" is no integer");
  CHECK(last(table("KeyspaceName: shop, TableName: baskets, Tags: {a: b}")) ==
        "template.yaml, line 3: Keyspaces table \"baskets\", Tags: a map is no list");
  const Definitions definitions = table(
      "KeyspaceName: shop, TableName: baskets, Colour: red, BillingMode: {Mode: ON_DEMAND, Shade: 1}, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: int}]");
  CHECK(reading::texts(definitions.errors).empty());
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"Keyspaces table \"baskets\": the property Colour is not known and left out",
              "Keyspaces table \"baskets\": the property BillingMode.Shade is not known and left out"});
}

TEST_CASE("What the operations need must be there, and names have the service's form", "[definitions]") {
  CHECK(last(table("KeyspaceName: shop, TableName: baskets")) ==
        "template.yaml, line 3: Keyspaces table \"shop.baskets\" has no schema");
  CHECK(last(table("TableName: baskets")) ==
        "template.yaml, line 3: Keyspaces table \".baskets\" has no keyspace");
  CHECK(last(read_after_shop(
            "  Address: {Type: AWS::Cassandra::Type, Properties: {KeyspaceName: shop, TypeName: a}}\n")) ==
        "template.yaml, line 3: Keyspaces type \"shop.a\" has no fields");
  CHECK(last(reading::read(
            "Resources:\n  Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: my-shop}}\n")) ==
        "template.yaml, line 2: keyspace \"my-shop\": \"my-shop\" is no name of 1 to 48 of the characters "
        "a-z, A-Z, "
        "0-9 and _, the first no _");
  CHECK(last(read_after_shop(
            "  Again: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: shop}}\n")) ==
        "template.yaml, line 3: keyspace \"shop\" is defined twice, also at template.yaml, line 2");
}

TEST_CASE("A resource without a name has its logical ID as a name", "[definitions]") {
  const Definitions definitions = reading::read(
      "Resources:\n"
      "  Ks: {Type: AWS::Cassandra::Keyspace}\n"
      "  T: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: !Ref Ks, PartitionKeyColumns: "
      "[{ColumnName: id, "
      "ColumnType: int}]}}\n");
  REQUIRE(definitions.keyspaces.size() == 2);
  CHECK(definitions.keyspaces[0].full_name() == "Ks");
  CHECK(definitions.keyspaces[1].full_name() == "Ks.T");
  CHECK(reading::texts(definitions.warnings) ==
        Texts{"keyspace \"Ks\": the template gives it no name, so it has one made of its logical ID",
              "Keyspaces table \"T\": the template gives it no name, so it has one made of its logical ID"});
}

TEST_CASE("Ref of a keyspace is its name, and of what is in it both names", "[definitions]") {
  const Definitions definitions = read_after_shop(
      "  Baskets: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: !Ref Shop, TableName: baskets, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: int}], Tags: [{Key: a, Value: !Ref Baskets}, {Key: "
      "b, "
      "Value: !Sub '${Shop}'}]}}\n");
  CHECK(to_json(*definitions.keyspaces.back().create.find("tags")) ==
        R"([{"key":"a","value":"shop|baskets"},{"key":"b","value":"shop"}])");
  CHECK(last(table("KeyspaceName: !Ref Baskets, TableName: baskets")).find("nest too deeply") !=
        std::string::npos);
}

TEST_CASE("Conditions and parameters count for keyspaces as for tables", "[definitions]") {
  constexpr std::string_view sections =
      "Parameters: {Stage: {Type: String, Default: dev}, Late: {Type: String}}\n"
      "Conditions: {Never: !Equals [a, b]}\n";
  const Definitions definitions = reading::read(
      std::string(sections) +
      "Resources:\n"
      "  Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: !Sub '${Stage}_shop'}}\n"
      "  Not: {Type: AWS::Cassandra::Keyspace, Condition: Never}\n"
      "  Late: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: !Ref Late}}\n");
  REQUIRE(definitions.keyspaces.size() == 1);
  CHECK(definitions.keyspaces[0].name == "dev_shop");
  CHECK(reading::texts(definitions.errors) ==
        Texts{"parameters have no value: --param Late=VALUE; needed by keyspace \"Late\""});
}

}  // namespace dinette::definitions::keyspaces_test
