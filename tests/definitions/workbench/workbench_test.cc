#include <string>

#include "definitions/defined.h"

// docs/definitions/workbench.md section 1.
namespace dinette::definitions::workbench_test {
namespace {

using namespace defined;

/// Reads a model with a table "visits", which has the key `id` and these members.
Definitions read_with(const std::string& members) {
  return read_definitions(R"({"ModelName":"m","DataModel":[{"TableName":"visits",)"
                          R"("KeyAttributes":{"PartitionKey":{"AttributeName":"id","AttributeType":"S"}})" +
                              members + "}]}",
                          "model.json", {});
}

}  // namespace

TEST_CASE("a model of version 3.0 is read with the items of tables and facets", "[definitions]") {
  const Definitions read = read_input("07-workbench.json");
  CHECK(read.errors.empty());
  CHECK(read.format == "a model of NoSQL Workbench");
  CHECK(names_of(read.tables) == Texts{"greenhouse", "visits"});
  CHECK(
      create_in(read, "greenhouse") ==
      R"({"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],)"
      R"("BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by-zone","KeySchema":[{"AttributeName":"zone","KeyType":"HASH"},)"
      R"({"AttributeName":"seenAt","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE",)"
      R"("NonKeyAttributes":["tags"]},"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6}}],)"
      R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},)"
      R"({"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"zone","AttributeType":"S"},)"
      R"({"AttributeName":"seenAt","AttributeType":"N"}],"TableName":"greenhouse"})");
  CHECK(items_in(read, "greenhouse") ==
        R"([{"PK":{"S":"sensor#1"},"SK":{"N":"1"},"zone":{"S":"north"},"seenAt":{"N":"1700000000"},)"
        R"("tags":{"SS":["damp","shade"]}},{"PK":{"S":"sensor#2"},"SK":{"N":"2"},"zone":{"S":"south"},)"
        R"("meta":{"M":{"on":{"BOOL":true},"box":{"M":{"x":{"N":"4"}}}}}}])");
  CHECK(create_in(read, "visits") ==
        R"({"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",)"
        R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"B"}],"TableName":"visits"})");
  CHECK(texts_of(read.warnings) ==
        Texts{"table \"greenhouse\": autoscaling is left out",
              "table \"greenhouse\": items have plain JSON among typed values; it is converted"});
}

TEST_CASE("a model of version 1.0 has tables on demand, and items in facets", "[definitions]") {
  const Definitions read = read_input("workbench-facets.json");
  CHECK(read.errors.empty());
  CHECK(read.warnings.empty());
  CHECK(table_in(read, "Shop").create.find("BillingMode")->scalar() == "PAY_PER_REQUEST");
  CHECK(table_in(read, "Shop").items.size() == 3);
}

TEST_CASE("a model of payments is read with both its indexes", "[definitions]") {
  const Definitions read = read_input("workbench-dues.json");
  CHECK(read.errors.empty());
  const Node& create = table_in(read, "Dues").create;
  CHECK(create.find("GlobalSecondaryIndexes")->elements().size() == 2);
  CHECK(create.find("AttributeDefinitions")->elements().size() == 5);
  CHECK(table_in(read, "Dues").items.size() == 2);
}

TEST_CASE("an item that a table and a facet have is read from the table", "[definitions]") {
  const Definitions read =
      read_with(R"(,"TableFacets":[{"TableData":[{"id":{"S":"a"},"from":{"S":"facet"}}]}],)"
                R"("TableData":[{"id":{"S":"a"},"from":{"S":"table"}}])");
  CHECK(items_in(read, "visits") == R"([{"id":{"S":"a"},"from":{"S":"table"}}])");
}

TEST_CASE("attributes that are no key are never definitions", "[definitions]") {
  const Definitions read = read_with(R"(,"NonKeyAttributes":[{"AttributeName":"note","AttributeType":"S"}])");
  CHECK(to_json(*table_in(read, "visits").create.find("AttributeDefinitions")) ==
        R"([{"AttributeName":"id","AttributeType":"S"}])");
}

TEST_CASE("an attribute that several indexes have is defined once", "[definitions]") {
  const std::string index =
      R"("KeyAttributes":{"PartitionKey":{"AttributeName":"day","AttributeType":"N"}},"Projection":{"ProjectionType":"ALL"}})";
  const Definitions read = read_with(R"(,"GlobalSecondaryIndexes":[{"IndexName":"one",)" + index +
                                     R"(,{"IndexName":"two",)" + index + "]");
  CHECK(to_json(*table_in(read, "visits").create.find("AttributeDefinitions")) ==
        R"([{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"day","AttributeType":"N"}])");
  CHECK_FALSE(table_in(read, "visits")
                  .create.find("GlobalSecondaryIndexes")
                  ->elements()[0]
                  .has("ProvisionedThroughput"));
}

TEST_CASE("a provisioned table without throughput is on demand, with a warning", "[definitions]") {
  const Definitions read = read_with(R"(,"BillingMode":"PROVISIONED")");
  CHECK(table_in(read, "visits").create.find("BillingMode")->scalar() == "PAY_PER_REQUEST");
  CHECK(texts_of(read.warnings) ==
        Texts{"table \"visits\": its throughput is not in the model; it is on demand"});
}

TEST_CASE("typed values that do not fit their type are plain JSON", "[definitions]") {
  const Definitions read = read_with(
      R"(,"TableData":[{"id":{"S":"a"},"n":{"N":5},"l":{"L":[{"S":"x"},7]},"m":{"M":{"S":{"S":"y"}}}}])");
  CHECK(
      items_in(read, "visits") ==
      R"([{"id":{"S":"a"},"n":{"M":{"N":{"N":"5"}}},"l":{"L":[{"S":"x"},{"N":"7"}]},"m":{"M":{"S":{"S":"y"}}}}])");
}

TEST_CASE("autoscaling of reads or of writes alone is left out with a warning", "[definitions]") {
  for (const std::string setting : {"AutoScalingRead", "AutoScalingWrite"}) {
    INFO(setting);
    const Definitions read =
        read_with(R"(,"BillingMode":"PROVISIONED","ProvisionedCapacitySettings":{"ProvisionedThroughput":)"
                  R"({"ReadCapacityUnits":5,"WriteCapacityUnits":6},")" +
                  setting + R"(":{}})");
    CHECK(texts_of(read.warnings) == Texts{"table \"visits\": autoscaling is left out"});
  }
}

TEST_CASE("a model that does not say for which service it is is one of DynamoDB", "[definitions]") {
  const Definitions read = read_definitions(
      R"({"ModelName":"m","ModelMetadata":{"AWSService":null},"DataModel":[{"TableName":"visits",)"
      R"("KeyAttributes":{"PartitionKey":{"AttributeName":"id","AttributeType":"S"}}}]})",
      "model.json", {});
  CHECK(read.errors.empty());
  CHECK(names_of(read.tables) == Texts{"visits"});
}

TEST_CASE("a model for Keyspaces is refused", "[definitions]") {
  const Definitions read = read_definitions(
      R"({"ModelName":"m","ModelMetadata":{"AWSService":"Amazon Keyspaces"},"DataModel":[{"TableName":"visits"}]})",
      "model.json", {});
  CHECK(texts_of(read.errors) == Texts{"the model is for Amazon Keyspaces, not for DynamoDB"});
}

TEST_CASE("a table of a model without a key is an error, and hides no other", "[definitions]") {
  const Definitions read =
      read_definitions(R"({"ModelName":"m","DataModel":[{"TableName":"nothing"},{"TableName":"visits",)"
                       R"("KeyAttributes":{"PartitionKey":{"AttributeName":"id","AttributeType":"S"}}}]})",
                       "model.json", {});
  CHECK(names_of(read.tables) == Texts{"visits"});
  CHECK(texts_of(read.errors) == Texts{"table \"nothing\" has no KeySchema"});
}

TEST_CASE("too many tables of a model are an error", "[definitions]") {
  std::string many;
  for (int i = 0; i < 10'001; ++i) many += i == 0 ? "{}" : ",{}";
  CHECK(texts_of(
            read_definitions(R"({"ModelName":"m","DataModel":[)" + many + "]}", "model.json", {}).errors) ==
        Texts{"there are more than 10000 tables"});
}

}  // namespace dinette::definitions::workbench_test
