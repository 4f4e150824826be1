#include <catch2/catch.hpp>

#include "dynamodb/backups/backups.h"

// docs/service/backups-pitr.md section 3, of overrides.
namespace test::overrides_test {

namespace {

const std::string operation = "RestoreTableToPointInTime";
const std::string request_is = "Invalid Request: ";

Json indexed(Json table) {
  table["AttributeDefinitions"].push_back(attribute("a", "S"));
  Json index = index_on("byA", Json::array({key("a", "HASH")}));
  index["Projection"] = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"x", "y"}}};
  if (table.contains("ProvisionedThroughput")) index["ProvisionedThroughput"] = units(3, 4);
  table["GlobalSecondaryIndexes"] = Json::array({index});
  return table;
}

Json locally_indexed() {
  Json table = with_range();
  table["AttributeDefinitions"].erase(2);  // of a
  table["LocalSecondaryIndexes"] =
      Json::array({index_on("byB", Json::array({key("pk", "HASH"), key("b", "RANGE")}))});
  return table;
}

struct Source : DynamoDb {
  explicit Source(const Json& table) {
    ok("CreateTable", table);
    put("Music", {{"pk", {{"S", "p"}}}, {"sk", {{"S", "s"}}}, {"a", {{"S", "1"}}}, {"b", {{"S", "2"}}}});
    recover(*this);
  }

  Json restored_with(const Json& overrides) {
    ok(operation, with(restore_latest(), overrides));
    return restored(*this);
  }
  void refused(const Json& overrides, const std::string& message) {
    check_refused(*this, operation, with(restore_latest(), overrides), message);
  }
};

Json changed_index(const Json& table, const Json& changes) {
  return {{"GlobalSecondaryIndexOverride",
           Json::array({with(table.at("GlobalSecondaryIndexes").at(0), changes)})}};
}

}  // namespace

TEST_CASE("restore overrides: billing becomes on-demand, for indexes too") {
  Source db(indexed(provisioned()));
  const Json table = db.restored_with({{"BillingModeOverride", "PAY_PER_REQUEST"}});
  CHECK(table.at("BillingModeSummary").at("BillingMode") == "PAY_PER_REQUEST");
  CHECK(table.at("ProvisionedThroughput").at("ReadCapacityUnits") == 0);
  CHECK(table.at("GlobalSecondaryIndexes").at(0).at("ProvisionedThroughput").at("ReadCapacityUnits") == 0);
}

TEST_CASE("restore overrides: billing becomes provisioned") {
  Source db(on_demand());
  const Json table = db.restored_with(
      {{"BillingModeOverride", "PROVISIONED"}, {"ProvisionedThroughputOverride", units(6, 7)}});
  CHECK(table.at("ProvisionedThroughput").at("ReadCapacityUnits") == 6);
  CHECK(table.at("ProvisionedThroughput").at("WriteCapacityUnits") == 7);
}

TEST_CASE("restore overrides: throughput changes that of the table only") {
  Source db(indexed(provisioned()));
  const Json table = db.restored_with({{"ProvisionedThroughputOverride", units(6, 7)}});
  CHECK(table.at("ProvisionedThroughput").at("ReadCapacityUnits") == 6);
  CHECK(table.at("GlobalSecondaryIndexes").at(0).at("ProvisionedThroughput").at("ReadCapacityUnits") == 3);
}

TEST_CASE("restore overrides: on-demand ceilings") {
  Source db(on_demand());
  const Json ceilings = {{"MaxReadRequestUnits", 5}, {"MaxWriteRequestUnits", 6}};
  CHECK(db.restored_with({{"OnDemandThroughputOverride", ceilings}}).at("OnDemandThroughput") == ceilings);
  db.ok("DeleteTable", {{"TableName", "Copy"}});
  Json request = restore_latest();
  request["OnDemandThroughputOverride"] = Json::object();
  db.ok(operation, request);
  CHECK_FALSE(restored(db).contains("OnDemandThroughput"));
}

TEST_CASE("restore overrides: encryption") {
  Json encrypted = on_demand();
  encrypted["SSESpecification"] = {{"Enabled", true}, {"SSEType", "KMS"}};
  Source db(encrypted);
  CHECK(db.restored_with({{"SSESpecificationOverride",
                           {{"Enabled", true}, {"SSEType", "KMS"}, {"KMSMasterKeyId", "k"}}}})
            .at("SSEDescription")
            .at("KMSMasterKeyArn") == "arn:aws:kms:us-east-1:000000000000:key/k");
  for (const Json& none : {Json{{"Enabled", false}}, Json::object()}) {
    db.ok("DeleteTable", {{"TableName", "Copy"}});
    Json request = restore_latest();
    request["SSESpecificationOverride"] = none;
    db.ok(operation, request);
    CHECK_FALSE(restored(db).contains("SSEDescription"));
  }
  db.ok("DeleteTable", {{"TableName", "Copy"}});
  db.refused({{"SSESpecificationOverride", {{"Enabled", false}, {"SSEType", "KMS"}}}},
             invalid("SSEType can not be specified if Enabled is false"));
}

TEST_CASE("restore overrides: no indexes, and the definitions that they alone used") {
  Source db(indexed(on_demand()));
  const Json table = db.restored_with({{"GlobalSecondaryIndexOverride", Json::array()}});
  CHECK_FALSE(table.contains("GlobalSecondaryIndexes"));
  CHECK(table.at("AttributeDefinitions") == Json::array({attribute("pk", "S")}));
}

TEST_CASE("restore overrides: no local indexes") {
  Source db(locally_indexed());
  const Json table = db.restored_with({{"LocalSecondaryIndexOverride", Json::array()}});
  CHECK_FALSE(table.contains("LocalSecondaryIndexes"));
  CHECK(table.at("AttributeDefinitions").size() == 2);
}

TEST_CASE("restore overrides: an index with another name, filled") {
  const Json source = indexed(on_demand());
  Source db(source);
  const Json changes = {{"IndexName", "other"},
                        {"Projection", {{"NonKeyAttributes", {"y", "x"}}}},
                        {"OnDemandThroughput", Json::object()}};
  const Json index = db.restored_with(changed_index(source, changes)).at("GlobalSecondaryIndexes").at(0);
  CHECK(index.at("IndexName") == "other");
  CHECK_FALSE(index.contains("OnDemandThroughput"));
  CHECK(index.at("ItemCount") == 1);
}

TEST_CASE("restore overrides: a local index with another name") {
  const Json source = locally_indexed();
  Source db(source);
  Json index = source.at("LocalSecondaryIndexes").at(0);
  index["IndexName"] = "other";
  const Json table = db.restored_with({{"LocalSecondaryIndexOverride", Json::array({index})}});
  CHECK(table.at("LocalSecondaryIndexes").at(0).at("IndexName") == "other");
  CHECK(table.at("LocalSecondaryIndexes").at(0).at("ItemCount") == 1);
  CHECK(table.at("AttributeDefinitions") == describe(db).at("AttributeDefinitions"));
}

TEST_CASE("restore overrides: indexes that the source did not have") {
  const Json source = indexed(on_demand());
  Source db(source);
  const auto unlike = [&](const std::string& name) {
    return request_is + "Index " + name +
           " does not match a secondary index that existed in the source table and cannot be created during "
           "the "
           "restore operation";
  };
  db.refused(changed_index(source, {{"KeySchema", Json::array({key("pk", "HASH")})}}), unlike("byA"));
  db.refused(changed_index(source, {{"KeySchema", Json::array({key("a", "HASH"), key("pk", "RANGE")})}}),
             unlike("byA"));
  db.refused(changed_index(source, {{"KeySchema", Json::array({key("a", "RANGE")})}}), unlike("byA"));
  db.refused(changed_index(source, {{"Projection", {{"NonKeyAttributes", {"x"}}}}}), unlike("byA"));
  db.refused(
      changed_index(source, {{"Projection", {{"ProjectionType", "ALL"}, {"NonKeyAttributes", nullptr}}}}),
      unlike("byA"));
  db.refused({{"LocalSecondaryIndexOverride",
               Json::array({index_on("byB", Json::array({key("pk", "HASH"), key("b", "RANGE")}))})}},
             unlike("byB"));
  const Json vectors = {{"IndexName", "byV"},
                        {"VectorAttribute", {{"AttributeName", "v"}}},
                        {"Dimensions", 3},
                        {"DistanceFunction", "COSINE"},
                        {"Projection", {{"ProjectionType", "ALL"}}}};
  db.refused({{"VectorIndexOverride", Json::array({vectors})}}, unlike("byV"));
  db.restored_with({{"VectorIndexOverride", Json::array()}});
}

TEST_CASE("restore overrides: an index that projects something else") {
  Json source = indexed(on_demand());
  source["GlobalSecondaryIndexes"][0]["Projection"] = {{"ProjectionType", "ALL"}};
  Source db(source);
  db.refused(changed_index(source, {{"Projection", {{"ProjectionType", "KEYS_ONLY"}}}}),
             request_is +
                 "Index byA does not match a secondary index that existed in the source table and "
                 "cannot be created during the restore operation");
}

TEST_CASE("restore overrides: throughput of indexes that does not fit the billing mode") {
  const Json on_demand_source = indexed(on_demand());
  Source db(on_demand_source);
  db.refused(changed_index(on_demand_source, {{"ProvisionedThroughput", units(1, 1)}}),
             request_is + "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  db.refused(changed_index(on_demand_source, {{"OnDemandThroughput", {{"MaxReadRequestUnits", 0}}}}),
             request_is + "Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range");
  const Json provisioned_source = indexed(provisioned());
  Source other(provisioned_source);
  other.refused(changed_index(provisioned_source, {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}}}}),
                request_is +
                    "Cannot override MaxReadRequestUnits for OnDemandThroughput unless BillingModeOverride "
                    "is PAY_PER_REQUEST");
}

TEST_CASE("restore overrides: throughput above what a table may have") {
  const Json source = indexed(provisioned());
  Source db(source);
  const auto refused = [&](const Json& overrides, const std::string& of) {
    const Reply reply = db.call(operation, with(restore_latest(), overrides));
    CHECK(reply.error() == "LimitExceededException");
    CHECK_THAT(reply.message(), Catch::StartsWith("The requested ReadCapacityUnits" + of + ", 40001, is"));
  };
  refused({{"ProvisionedThroughputOverride", units(40'001, 1)}}, "");
  refused(changed_index(source, {{"ProvisionedThroughput", units(40'001, 1)}}), " for index byA");
}

TEST_CASE("restore overrides: throughput that does not fit the billing mode") {
  Source db(on_demand());
  const Json throughput = {{"ProvisionedThroughputOverride", units(1, 1)}};
  db.refused({{"BillingModeOverride", "PROVISIONED"}},
             request_is + "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
  db.refused(throughput,
             request_is + "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  db.refused(
      with(throughput, {{"BillingModeOverride", "PAY_PER_REQUEST"}}),
      request_is + "Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST");
  db.refused({{"OnDemandThroughputOverride", {{"MaxReadRequestUnits", 0}}}},
             request_is + "Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range");
  db.refused({{"OnDemandThroughputOverride", {{"MaxWriteRequestUnits", -1}}}},
             request_is + "Requested MaxWriteRequestUnits for OnDemandThroughput is outside of valid range");
  db.refused(
      {{"BillingModeOverride", "INVALID"}},
      enveloped("Value 'INVALID' at 'billingModeOverride' failed to satisfy constraint: Member must satisfy "
                "enum value set: [PROVISIONED, PAY_PER_REQUEST]"));
  db.refused({{"ProvisionedThroughputOverride", units(0, 1)}},
             enveloped("Value '0' at 'provisionedThroughputOverride.readCapacityUnits' failed to satisfy "
                       "constraint: Member must have value greater than or equal to 1"));
}

TEST_CASE("restore overrides: ceilings of a provisioned table") {
  Source db(provisioned());
  for (const char* kind : {"Read", "Write"}) {
    const std::string member = "Max" + std::string(kind) + "RequestUnits";
    db.refused({{"OnDemandThroughputOverride", {{member, 5}}}},
               request_is + "Cannot override " + member +
                   " for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST");
  }
}

TEST_CASE("restore overrides: indexes of a table that becomes provisioned need throughput") {
  const Json source = indexed(on_demand());
  Source db(source);
  const Json provisioned_now = {{"BillingModeOverride", "PROVISIONED"},
                                {"ProvisionedThroughputOverride", units(6, 7)}};
  db.refused(provisioned_now,
             request_is +
                 "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED for "
                 "index byA");
  db.refused(with(provisioned_now, changed_index(source, Json::object())),
             request_is + "Must specify provisioned throughput for index byA");
  const Json table = db.restored_with(
      with(provisioned_now, changed_index(source, {{"ProvisionedThroughput", units(8, 9)}})));
  CHECK(table.at("GlobalSecondaryIndexes").at(0).at("ProvisionedThroughput").at("ReadCapacityUnits") == 8);
}

}  // namespace test::overrides_test
