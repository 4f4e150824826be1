#include "app/tables/apply_keyspaces.h"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "app/tables/applying_services.h"
#include "app/tables/dry_run.h"

namespace dinette::app::apply_keyspaces_test {
namespace {

using test::ApplyingServices;
using test::first_words;
using test::outcomes;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr std::string_view shop =
    "  Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: shop}}\n";

/// A template with the keyspace `shop` and these resources.
std::string with(const std::string& resources) {
  return "Resources:\n" + std::string(shop) + resources;
}

/// The same with the table `baskets` in it, which has these properties besides its columns.
std::string baskets(const std::string& properties,
                    const std::string& columns = "{ColumnName: total, ColumnType: int}") {
  return with(
      "  Baskets: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: !Ref Shop, TableName: baskets, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: uuid}], RegularColumns: [" +
      columns + "]" + (properties.empty() ? "" : ", ") + properties + "}}\n");
}

/// Everything that is compared of a table.
constexpr const char* rich =
    "ClusteringKeyColumns: [{Column: {ColumnName: day, ColumnType: date}, OrderBy: DESC}], "
    "BillingMode: {Mode: PROVISIONED, ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: 3}}, "
    "PointInTimeRecoveryEnabled: true, ClientSideTimestampsEnabled: true, DefaultTimeToLive: 3600, "
    "EncryptionSpecification: {EncryptionType: CUSTOMER_MANAGED_KMS_KEY, KmsKeyIdentifier: "
    "'arn:aws:kms:us-east-1:000000000000:key/1'}, "
    "CdcSpecification: {Status: ENABLED, ViewType: NEW_IMAGE, Tags: [{Key: a, Value: b}]}, "
    "AutoScalingSpecifications: {ReadCapacityAutoScaling: {MinimumUnits: 1, MaximumUnits: 9, ScalingPolicy: "
    "{TargetTrackingScalingPolicyConfiguration: {TargetValue: 70}}}}, "
    "WarmThroughput: {ReadUnitsPerSecond: 13000, WriteUnitsPerSecond: 5000}, Tags: [{Key: team, Value: "
    "garden}]";

Json table_of(ApplyingServices& to) {
  return to.keyspaces("GetTable", {{"keyspaceName", "shop"}, {"tableName", "baskets"}});
}

const AppliedResource& last_of(const std::vector<AppliedResource>& resources) {
  return resources.back();
}

std::string differences_of(const AppliedResource& resource) {
  std::string text;
  for (const Difference& difference : resource.differences)
    text += text_of_difference(resource, difference) + "\n";
  return text;
}

}  // namespace

// docs/service-keyspaces/timestamps.md section 1: CloudFormation turns them on at creation.
TEST_CASE("a template turns on the timestamps of clients in a table that it creates") {
  ApplyingServices to;
  const auto made = to.applied(baskets("ClientSideTimestampsEnabled: true"));
  CHECK(outcomes(made) == Words{"created shop", "created shop.baskets"});
  CHECK(last_of(made).parts == Words{"client-side timestamps"});
  CHECK(table_of(to)["clientSideTimestamps"] == Json{{"status", "ENABLED"}});

  ApplyingServices without;
  without.applied(baskets(""));
  CHECK_FALSE(table_of(without).contains("clientSideTimestamps"));
}

TEST_CASE("keyspaces are made first, then types after those that they consist of, then tables") {
  ApplyingServices to;
  const auto made = to.applied(
      "Resources:\n"
      "  Baskets: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: !Ref Shop, TableName: baskets, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: uuid}], RegularColumns: [{ColumnName: bill, "
      "ColumnType: "
      "frozen<Bill>}]}}\n"
      "  Bill: {Type: AWS::Cassandra::Type, Properties: {KeyspaceName: !Ref Shop, TypeName: Bill, Fields: "
      "[{FieldName: "
      "address, FieldType: 'frozen<Address>'}]}}\n"
      "  Address: {Type: AWS::Cassandra::Type, Properties: {KeyspaceName: !Ref Shop, TypeName: Address, "
      "Fields: "
      "[{FieldName: street, FieldType: text}, {FieldName: zip, FieldType: int}]}}\n" +
      std::string(shop));
  CHECK(outcomes(made) ==
        Words{"created shop", "created shop.address", "created shop.bill", "created shop.baskets"});
  CHECK(made[1].parts == Words{"2 fields"});
  CHECK(first_words(to.operations.changes) ==
        Words{"CreateKeyspace", "CreateType", "CreateType", "CreateTable"});
}

TEST_CASE("what is applied again is unchanged, whatever it has") {
  ApplyingServices to;
  const std::string text =
      baskets(rich) +
      "  Address: {Type: AWS::Cassandra::Type, Properties: {KeyspaceName: shop, TypeName: address, Fields: "
      "[{FieldName: "
      "names, FieldType: 'list<VARCHAR>'}]}}\n"
      "  Far: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: far, ReplicationSpecification: "
      "{ReplicationStrategy: MULTI_REGION, RegionList: [us-east-1, eu-west-1]}, Tags: [{Key: a, Value: "
      "b}]}}\n";
  const auto made = to.applied(text);
  CHECK(outcomes(made) ==
        Words{"created shop", "created far", "created shop.address", "created shop.baskets"});
  CHECK(made[1].parts == Words{"2 regions", "1 tag"});
  CHECK(last_of(made).parts ==
        Words{"client-side timestamps", "TTL", "point-in-time recovery", "stream", "1 tag"});
  to.operations.changes.clear();
  const auto again = to.applied(text, {.existing = OnDifference::update});
  for (const AppliedResource& resource : again) UNSCOPED_INFO(differences_of(resource));
  CHECK(outcomes(again) ==
        Words{"unchanged shop", "unchanged far", "unchanged shop.address", "unchanged shop.baskets"});
  CHECK(to.operations.changes.empty());
}

TEST_CASE("settings that a file does not say are not compared") {
  ApplyingServices to;
  to.applied(baskets(rich));
  const std::string key =
      "ClusteringKeyColumns: [{Column: {ColumnName: day, ColumnType: date}, OrderBy: DESC}]";
  CHECK(outcomes(to.applied(baskets(key))) == Words{"unchanged shop", "unchanged shop.baskets"});
}

TEST_CASE("a table of a keyspace that differs is left alone, and changed if that is asked for") {
  ApplyingServices to;
  to.applied(baskets("Tags: [{Key: team, Value: garden}]"));
  const std::string text = baskets(
      "BillingMode: {Mode: PROVISIONED, ProvisionedThroughput: {ReadCapacityUnits: 5, WriteCapacityUnits: "
      "3}}, "
      "PointInTimeRecoveryEnabled: true, ClientSideTimestampsEnabled: true, DefaultTimeToLive: 60, "
      "CdcSpecification: "
      "{Status: ENABLED, ViewType: KEYS_ONLY}, Tags: [{Key: team, Value: house}]",
      "{ColumnName: total, ColumnType: int}, {ColumnName: note, ColumnType: text}");
  to.operations.changes.clear();
  const auto seen = to.applied(text);
  CHECK(outcomes(seen) == Words{"unchanged shop", "differs shop.baskets"});
  CHECK(to.operations.changes.empty());
  CHECK(differences_of(last_of(seen)) ==
        "columns.note: none in the table, text in the file\n"
        "capacitySpecification: throughputMode PAY_PER_REQUEST in the table, throughputMode PROVISIONED, "
        "readCapacityUnits 5, writeCapacityUnits 3 in the file\n"
        "pointInTimeRecovery: status DISABLED in the table, status ENABLED in the file\n"
        "defaultTimeToLive: 0 in the table, 60 in the file\n"
        "clientSideTimestamps: none in the table, status ENABLED in the file\n"
        "cdcSpecification: status DISABLED in the table, status ENABLED, viewType KEYS_ONLY in the file\n"
        "tags.team: garden in the table, house in the file\n");

  CHECK(outcomes(to.applied(text, {.existing = OnDifference::update})) ==
        Words{"unchanged shop", "updated shop.baskets"});
  CHECK(first_words(to.operations.changes) == Words{"UpdateTable", "UpdateTable", "UpdateTable",
                                                    "UpdateTable", "UpdateTable", "UpdateTable",
                                                    "TagResource"});
  CHECK(outcomes(to.applied(text)) == Words{"unchanged shop", "unchanged shop.baskets"});
}

TEST_CASE("a keyspace that differs gets the regions that its file says, and is never replaced") {
  const OnDifference existing = GENERATE(OnDifference::update, OnDifference::replace);
  ApplyingServices to;
  to.applied(baskets(""));
  to.operations.changes.clear();
  const std::string text =
      "Resources: {Shop: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: shop, "
      "ClientSideTimestampsEnabled: true, ReplicationSpecification: {ReplicationStrategy: MULTI_REGION, "
      "RegionList: "
      "[eu-west-1, us-east-1]}}}}\n";
  CHECK(
      differences_of(to.applied(text).front()) ==
      "replicationSpecification: replicationStrategy SINGLE_REGION, regionList (us-east-1) in the keyspace, "
      "replicationStrategy MULTI_REGION, regionList (eu-west-1, us-east-1) in the file\n");
  CHECK(outcomes(to.applied(text, {.existing = existing})) == Words{"updated shop"});
  CHECK(
      to.operations.changes ==
      Words{
          R"(UpdateKeyspace {"keyspaceName":"shop","replicationSpecification":{"replicationStrategy":)"
          R"("MULTI_REGION","regionList":["eu-west-1","us-east-1"]},"clientSideTimestamps":{"status":"ENABLED"}})"});
  CHECK(outcomes(to.applied(text)) == Words{"unchanged shop"});
  CHECK(table_of(to)["clientSideTimestamps"] == Json{{"status", "ENABLED"}});
}

TEST_CASE("a key, a type of a column and a column too many need a new table, which only --replace makes") {
  const auto [columns, member] =
      GENERATE(table<const char*, const char*>({{"{ColumnName: total, ColumnType: bigint}", "columns.total"},
                                                {"{ColumnName: other, ColumnType: int}", "columns.total"}}));
  ApplyingServices to;
  to.applied(baskets(""));
  to.operations.changes.clear();
  const std::string text = baskets("", columns);
  const auto refused = to.applied(text, {.existing = OnDifference::update});
  CHECK(outcomes(refused) == Words{"unchanged shop", "failed shop.baskets"});
  CHECK(last_of(refused).errors ==
        Words{std::string(member) +
              " of a table that exists cannot be changed: that needs a new table, which dinette tables apply "
              "--replace creates, without the items of this one"});
  CHECK(to.operations.changes.empty());
  CHECK(outcomes(to.applied(text, {.existing = OnDifference::replace})) ==
        Words{"unchanged shop", "replaced shop.baskets"});
  CHECK(first_words(to.operations.changes) == Words{"DeleteTable", "CreateTable"});
  CHECK(outcomes(to.applied(text)) == Words{"unchanged shop", "unchanged shop.baskets"});
}

TEST_CASE("another order of a clustering column needs a new table") {
  ApplyingServices to;
  const auto ordered = [](const std::string& order) {
    return baskets("ClusteringKeyColumns: [{Column: {ColumnName: day, ColumnType: date}, OrderBy: " + order +
                   "}]");
  };
  to.applied(ordered("ASC"));
  CHECK(differences_of(last_of(to.applied(ordered("DESC")))) ==
        "clusteringKeys: day ASC in the table, day DESC in the file (needs a new table)\n");
}

TEST_CASE("the fields of a type that exists are not changed") {
  ApplyingServices to;
  const auto with_field = [](const std::string& type) {
    return with(
        "  Address: {Type: AWS::Cassandra::Type, Properties: {KeyspaceName: shop, TypeName: address, Fields: "
        "[{FieldName: street, FieldType: " +
        type + "}]}}\n");
  };
  to.applied(with_field("text"));
  to.operations.changes.clear();
  CHECK(outcomes(to.applied(with_field("int"))) == Words{"unchanged shop", "differs shop.address"});
  const auto refused = to.applied(with_field("int"), {.existing = OnDifference::replace});
  CHECK(outcomes(refused) == Words{"unchanged shop", "failed shop.address"});
  CHECK(last_of(refused).errors ==
        Words{"the fields of a type that exists cannot be changed by the API; ALTER TYPE of "
              "CQL may do it"});
  CHECK(to.operations.changes.empty());
}

TEST_CASE("skipping does not compare, and pruning deletes nothing of Amazon Keyspaces") {
  ApplyingServices to;
  to.applied(baskets(""));
  to.operations.changes.clear();
  CHECK(outcomes(to.applied(baskets("DefaultTimeToLive: 5"), {.existing = OnDifference::skip})) ==
        Words{"skipped shop", "skipped shop.baskets"});
  CHECK(outcomes(to.applied(with(""), {.prune = true})) == Words{"unchanged shop"});
  CHECK(to.operations.changes.empty());
  CHECK(table_of(to)["status"] == "ACTIVE");
}

TEST_CASE("what the service refuses fails with its reason, and does not hinder the rest") {
  ApplyingServices to;
  const auto made = to.applied(
      "Resources:\n"
      "  Lost: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: nowhere, TableName: lost, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: uuid}]}}\n" +
      std::string(shop));
  CHECK(outcomes(made) == Words{"created shop", "failed nowhere.lost"});
  CHECK_THAT(made[1].errors.front(), Catch::StartsWith("CreateTable failed: ResourceNotFoundException: "));
}

TEST_CASE("what is made in a new keyspace is tried again until the keyspace can be used") {
  ApplyingServices to;
  int refusals = 0;
  const std::string message =
      GENERATE("Cannot add table to non existing keyspace shop", "Keyspace shop does not exist");
  to.operations.instead = [&](const ServiceCall& call) -> std::optional<test::WatchedOperations::Reply> {
    if (call.operation != "CreateTable" || ++refusals > 3) return std::nullopt;
    return OperationReply{400, R"({"__type":"ValidationException","message":")" + message + "\"}"};
  };
  CHECK(outcomes(to.applied(baskets(""))) == Words{"created shop", "created shop.baskets"});
  CHECK(refusals == 4);

  const std::string other =
      "Resources: {Other: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: shop, TableName: other, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: uuid}]}}}\n";
  refusals = 0;
  CHECK(outcomes(to.applied(other)) == Words{"failed shop.other"});
  CHECK(refusals == 1);
}

TEST_CASE("another refusal in a new keyspace is not tried again") {
  ApplyingServices to;
  int refusals = 0;
  to.operations.instead =
      [&refusals](const ServiceCall& call) -> std::optional<test::WatchedOperations::Reply> {
    if (call.operation != "CreateTable") return std::nullopt;
    ++refusals;
    return OperationReply{400,
                          R"({"__type":"ValidationException","message":"Too many tables in keyspace shop"})"};
  };
  CHECK(outcomes(to.applied(baskets(""))) == Words{"created shop", "failed shop.baskets"});
  CHECK(refusals == 1);
}

TEST_CASE("a server without Amazon Keyspaces is said once for each resource") {
  ApplyingServices to;
  to.operations.instead = [](const ServiceCall&) -> std::optional<test::WatchedOperations::Reply> {
    return OperationReply{400, R"({"__type":"com.amazonaws.dynamodb.v20120810#UnknownOperationException"})"};
  };
  const auto made = to.applied(with(""));
  CHECK(outcomes(made) == Words{"failed shop"});
  CHECK(made.front().errors == Words{"the server does not serve Amazon Keyspaces"});
}

TEST_CASE("a dry run of keyspaces makes the calls of a real one, and changes nothing") {
  const OnDifference existing = GENERATE(OnDifference::update, OnDifference::replace);
  ApplyingServices to;
  to.applied(baskets(""));
  const std::string text =
      baskets("", existing == OnDifference::update
                      ? "{ColumnName: total, ColumnType: int}, {ColumnName: note, "
                        "ColumnType: text}"
                      : "{ColumnName: total, ColumnType: text}") +
      "  New: {Type: AWS::Cassandra::Keyspace, Properties: {KeyspaceName: fresh}}\n"
      "  Things: {Type: AWS::Cassandra::Table, Properties: {KeyspaceName: fresh, TableName: things, "
      "PartitionKeyColumns: [{ColumnName: id, ColumnType: uuid}]}}\n";
  to.operations.changes.clear();

  Words tried;
  DryRun dry(&to.operations, [&](const TriedCall& call) {
    CHECK(call.service == "cassandra");
    CHECK(call.path.empty());
    tried.push_back(std::string(call.operation) + " " + std::string(call.input));
  });
  const auto outcome_of_try = outcomes(to.applied_by(dry, text, {.existing = existing}));
  CHECK(to.operations.changes.empty());
  CHECK(outcomes(to.applied(text, {.existing = existing})) == outcome_of_try);
  CHECK(tried == to.operations.changes);
  CHECK(!tried.empty());
}

TEST_CASE("a dry run without a server creates keyspaces") {
  ApplyingServices to;
  Words tried;
  DryRun dry(nullptr, [&](const TriedCall& call) { tried.emplace_back(call.operation); });
  CHECK(outcomes(to.applied_by(dry, baskets("Tags: [{Key: a, Value: b}]"))) ==
        Words{"created shop", "created shop.baskets"});
  CHECK(tried == Words{"CreateKeyspace", "CreateTable"});
}

}  // namespace dinette::app::apply_keyspaces_test
