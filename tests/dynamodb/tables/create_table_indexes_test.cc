#include <catch2/catch.hpp>

#include "dynamodb/tables/new_table.h"

// docs/service/indexes.md sections 1 and 6; tables.md section 2, messages about indexes.
namespace test::create_table_indexes_test {

TEST_CASE("a local index needs a table with a range key, the table's hash key and a range key of its own") {
  const Json local = Json::array({index_on("byA", {key("pk", "HASH"), key("a", "RANGE")})});
  Json hash_only = with(on_demand(), {{"LocalSecondaryIndexes", local}});
  hash_only["AttributeDefinitions"].push_back(attribute("a", "S"));
  create_refused(hash_only,
                 invalid("Table KeySchema does not have a range key, which is required when specifying a "
                         "LocalSecondaryIndex"));
  create_refused(
      with_locals(Json::array({index_on("byA", {key("a", "HASH"), key("b", "RANGE")})})),
      invalid(
          "Index KeySchema does not have the same leading hash key as table KeySchema for index: byA. index "
          "hash key: a, table hash key: pk"));
  Json no_range = with_locals(Json::array({index_on("byPk", Json::array({key("pk", "HASH")}))}));
  no_range["AttributeDefinitions"] = {attribute("pk", "S"), attribute("sk", "S")};
  create_refused(no_range, invalid("Index KeySchema does not have a range key for index: byPk"));
  create_refused(
      with_locals(Json::array({index_on("byAB", {key("pk", "HASH"), key("a", "RANGE"), key("b", "RANGE")})})),
      constraint("[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=a, "
                 "keyType=RANGE), KeySchemaElement(attributeName=b, keyType=RANGE)]",
                 "localSecondaryIndexes.1.member.keySchema",
                 "Member must have length less than or equal to 2"));
}

TEST_CASE("index names are unique over both kinds") {
  const std::string message = invalid("Duplicate index name: sameIndex");
  Json request = with_globals(Json::array({index_on("sameIndex", Json::array({key("a", "HASH")}))}));
  request["LocalSecondaryIndexes"] =
      Json::array({index_on("sameIndex", {key("pk", "HASH"), key("b", "RANGE")})});
  create_refused(request, message);
  create_refused(with_globals(Json::array({index_on("sameIndex", Json::array({key("a", "HASH")})),
                                           index_on("sameIndex", Json::array({key("b", "HASH")}))})),
                 message);
  create_refused(with_locals(Json::array({index_on("sameIndex", {key("pk", "HASH"), key("a", "RANGE")}),
                                          index_on("sameIndex", {key("pk", "HASH"), key("b", "RANGE")})})),
                 message);
}

TEST_CASE("index names have the rules of table names; those of global indexes are reported first") {
  create_refused(with_globals(Json::array({index_on("a", {key("a", "HASH"), key("b", "RANGE")})})),
                 constraint("a", "globalSecondaryIndexes.1.member.indexName",
                            "Member must have length greater than or equal to 3"));
  const std::string pattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
  create_refused(with_locals(Json::array({index_on("x x!", {key("pk", "HASH"), key("a", "RANGE")})})),
                 constraint("x x!", "localSecondaryIndexes.1.member.indexName", pattern));
  // Both faults of one name, the pattern first.
  for (const std::string name : {"x!", ""}) {
    const std::string at =
        "Value '" + name + "' at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: ";
    create_refused(with_locals(Json::array({index_on(name, {key("pk", "HASH"), key("a", "RANGE")})})),
                   "2 validation errors detected: " + at + pattern + "; " + at +
                       "Member must have length greater than or equal to 3");
  }
  Json both = with_locals(Json::array({index_on("l", {key("pk", "HASH"), key("a", "RANGE")})}));
  both["GlobalSecondaryIndexes"] = Json::array({index_on("g", Json::array({key("b", "HASH")}))});
  create_refused(
      both,
      "2 validation errors detected: Value 'g' at 'globalSecondaryIndexes.1.member.indexName' failed to "
      "satisfy "
      "constraint: Member must have length greater than or equal to 3; Value 'l' at "
      "'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length "
      "greater "
      "than or equal to 3");
}

TEST_CASE("a projection lists attributes if and only if it is INCLUDE") {
  create_refused(projecting({{"ProjectionType", "INCLUDE"}}),
                 invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
  create_refused(projecting({{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"x", "y", "x"}}}),
                 invalid("Duplicate element in NonKeyAttributes: x"));
  create_refused(projecting({{"ProjectionType", "KEYS_ONLY"}, {"NonKeyAttributes", {"x"}}}),
                 invalid("ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"));
  create_refused(projecting({{"ProjectionType", "ALL"}, {"NonKeyAttributes", {"x"}}}),
                 invalid("ProjectionType is ALL, but NonKeyAttributes is specified"));
  create_refused(projecting(Json::object()), invalid("Unknown ProjectionType: null"));
  create_refused(projecting(nullptr),
                 enveloped("Value null at 'globalSecondaryIndexes.1.member.projection' failed to satisfy "
                           "constraint: Member must not be null"));
  create_refused(projecting({{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", Json::array()}}),
                 constraint("[]", "globalSecondaryIndexes.1.member.projection.nonKeyAttributes",
                            "Member must have length greater than or equal to 1"));
  create_refused(projecting({{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {""}}}));
  create_refused(projecting({{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {std::string(256, 'x')}}}));
}

TEST_CASE("an index's key attributes are defined; only its own are named") {
  create_refused(with_globals(Json::array({index_on("byA", {key("a", "HASH"), key("b", "RANGE")}),
                                           index_on("byC", Json::array({key("c", "HASH")}))})),
                 invalid("Some index key attributes are not defined in AttributeDefinitions. Keys: [c], "
                         "AttributeDefinitions: [a, b, pk, sk]"));
}

TEST_CASE("a table has at most 5 local and 20 global indexes") {
  const auto indexes = [](int count, const Json& schema) {
    Json list = Json::array();
    for (int i = 0; i < count; ++i) list.push_back(index_on("index" + std::to_string(i), schema));
    return list;
  };
  const Json global = {key("a", "HASH"), key("b", "RANGE")};
  const Json local = {key("pk", "HASH"), key("a", "RANGE")};
  DynamoDb db;
  Json most = with_globals(indexes(20, global));
  CHECK(create(db, most).at("GlobalSecondaryIndexes").size() == 20);
  create_refused(with_globals(indexes(21, global)),
                 invalid("GlobalSecondaryIndex count exceeds the per-table limit of 20"));
  Json locals = with_locals(indexes(5, local));
  locals["AttributeDefinitions"].erase(3);
  locals["TableName"] = "Locals";
  CHECK(create(db, locals).at("LocalSecondaryIndexes").size() == 5);
  locals["LocalSecondaryIndexes"] = indexes(6, local);
  create_refused(locals, invalid("Number of LocalSecondaryIndexes exceeds per-table limit of 5"));
}

TEST_CASE("at most 100 attributes are projected over all indexes, 20 by one") {
  const auto including = [](int count, int first) {
    Json names = Json::array();
    for (int i = 0; i < count; ++i) names.push_back("p" + std::to_string(first + i));
    return Json{{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", names}};
  };
  const auto request = [&](int last) {
    Json list = Json::array();
    for (int i = 0; i < 6; ++i) {
      Json gsi = index_on("index" + std::to_string(i), {key("a", "HASH"), key("b", "RANGE")});
      gsi["Projection"] = including(i < 5 ? 19 : last, i * 20);
      list.push_back(gsi);
    }
    return with_globals(list);
  };
  DynamoDb db;
  create(db, request(5));
  create_refused(request(6));
  create_refused(projecting(including(21, 0)));
}

TEST_CASE("a global index has 1 to 4 hash and up to 4 range attributes") {
  const auto request = [](int hashes, int ranges) {
    Json schema = Json::array();
    Json table = on_demand();
    const auto add = [&](const std::string& name, const char* role) {
      schema.push_back(key(name, role));
      table["AttributeDefinitions"].push_back(attribute(name, "N"));
    };
    for (int i = 0; i < hashes; ++i) add("h" + std::to_string(i), "HASH");
    for (int i = 0; i < ranges; ++i) add("r" + std::to_string(i), "RANGE");
    table["GlobalSecondaryIndexes"] = Json::array({index_on("many", schema)});
    return table;
  };
  DynamoDb db;
  const Json table = create(db, request(4, 4));
  const Json schema = table.at("GlobalSecondaryIndexes").at(0).at("KeySchema");
  CHECK(schema == request(4, 4).at("GlobalSecondaryIndexes").at(0).at("KeySchema"));
  create_refused(request(5, 0),
                 invalid("The KeySchema exceeds the maximum allowed number of HASH key attributes"));
  create_refused(request(1, 5),
                 invalid("The KeySchema exceeds the maximum allowed number of RANGE key attributes"));
  create_refused(request(0, 1), "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  create_refused(request(0, 0), constraint("[]", "globalSecondaryIndexes.1.member.keySchema",
                                           "Member must have length greater than or equal to 1"));
  Json mixed = request(2, 1);
  std::swap(mixed["GlobalSecondaryIndexes"][0]["KeySchema"][1],
            mixed["GlobalSecondaryIndexes"][0]["KeySchema"][2]);
  create_refused(mixed,
                 invalid("All HASH key attributes must precede RANGE key attributes in the KeySchema"));
  Json twice = request(2, 0);
  twice["GlobalSecondaryIndexes"][0]["KeySchema"][1]["AttributeName"] = "h0";
  create_refused(twice, "The KeySchema contains multiple key attributes with the same name");
}

TEST_CASE(
    "a global index may take any attributes, the table's key among them; the table needs no range key") {
  DynamoDb db;
  Json request = on_demand();
  request["AttributeDefinitions"].push_back(attribute("bytes", "B"));
  request["GlobalSecondaryIndexes"] =
      Json::array({index_on("back", {key("bytes", "HASH"), key("pk", "RANGE")})});
  CHECK(create(db, request).at("GlobalSecondaryIndexes").size() == 1);
}

TEST_CASE("a global index of a provisioned table has throughput, one of an on-demand table has none") {
  Json request = with(with_globals(Json::array({index_on("byA", {key("a", "HASH"), key("b", "RANGE")})})),
                      {{"BillingMode", nullptr}, {"ProvisionedThroughput", units(5, 5)}});
  create_refused(request, invalid("ProvisionedThroughput is not specified for index: byA"));
  request["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] = units(1, 1);
  DynamoDb db;
  create(db, request);
  request["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] = units(1, 40001);
  check_refused(
      db, "CreateTable", request,
      "The requested WriteCapacityUnits for index byA, 40001, is above the per index maximum for the "
      "account in us-east-1. Per table maximum: 40000. Refer to the Amazon DynamoDB Developer Guide "
      "for current limits and how to request higher limits.",
      "LimitExceededException");
  request["BillingMode"] = "PAY_PER_REQUEST";
  request.erase("ProvisionedThroughput");
  create_refused(request, invalid("ProvisionedThroughput should not be specified for index: byA when "
                                  "BillingMode is PAY_PER_REQUEST"));
}

TEST_CASE("empty lists of indexes are refused") {
  create_refused(with(on_demand(), {{"GlobalSecondaryIndexes", Json::array()}}),
                 invalid("List of GlobalSecondaryIndexes is empty"));
  create_refused(with(on_demand(), {{"LocalSecondaryIndexes", Json::array()}}),
                 invalid("List of LocalSecondaryIndexes is empty"));
}

TEST_CASE("a local index may have the table's own key, a global index too, or the table's name") {
  DynamoDb db;
  const Json own_key = {key("pk", "HASH"), key("sk", "RANGE")};
  Json request = with_locals(Json::array({index_on("local", own_key)}));
  request["AttributeDefinitions"] = {attribute("pk", "S"), attribute("sk", "S")};
  request["GlobalSecondaryIndexes"] = Json::array({index_on("Music", own_key)});
  CHECK(create(db, request).at("LocalSecondaryIndexes").size() == 1);
}

// --- Descriptions of indexes

TEST_CASE("indexes are described whole") {
  DynamoDb db;
  Json request = with(with_range(), {{"BillingMode", nullptr}, {"ProvisionedThroughput", units(5, 5)}});
  Json gsi = index_on("byA", Json::array({key("a", "HASH")}));
  gsi["ProvisionedThroughput"] = units(1, 1);
  gsi["Projection"] = {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", {"z", "y"}}};
  request["GlobalSecondaryIndexes"] = Json::array({gsi});
  request["LocalSecondaryIndexes"] = Json::array({index_on("byB", {key("pk", "HASH"), key("b", "RANGE")})});
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music/index/";
  const Json created = create(db, request);
  Json global = {{"IndexName", "byA"},
                 {"KeySchema", Json::array({key("a", "HASH")})},
                 {"Projection", gsi["Projection"]},
                 {"IndexStatus", "CREATING"},
                 {"ProvisionedThroughput",
                  {{"NumberOfDecreasesToday", 0}, {"ReadCapacityUnits", 1}, {"WriteCapacityUnits", 1}}},
                 {"IndexSizeBytes", 0},
                 {"ItemCount", 0},
                 {"IndexArn", arn + "byA"}};
  CHECK(created.at("GlobalSecondaryIndexes") == Json::array({global}));
  const Json local = {{"IndexName", "byB"},
                      {"KeySchema", {key("pk", "HASH"), key("b", "RANGE")}},
                      {"Projection", {{"ProjectionType", "ALL"}}},
                      {"IndexSizeBytes", 0},
                      {"ItemCount", 0},
                      {"IndexArn", arn + "byB"}};
  CHECK(created.at("LocalSecondaryIndexes") == Json::array({local}));
  const Json described = describe(db);
  global["IndexStatus"] = "ACTIVE";
  global["WarmThroughput"] = {{"ReadUnitsPerSecond", 1}, {"WriteUnitsPerSecond", 1}, {"Status", "ACTIVE"}};
  CHECK(described.at("GlobalSecondaryIndexes") == Json::array({global}));
  CHECK(described.at("LocalSecondaryIndexes") == Json::array({local}));
}

TEST_CASE("an on-demand index shows zeros, and its ceilings and warm throughput when asked for") {
  DynamoDb db;
  Json gsi = index_on("byA", {key("a", "HASH"), key("b", "RANGE")});
  gsi["OnDemandThroughput"] = {{"MaxReadRequestUnits", 10}};
  gsi["WarmThroughput"] = {{"ReadUnitsPerSecond", 13000}};
  const Json created = create(db, with_globals(Json::array({gsi}))).at("GlobalSecondaryIndexes").at(0);
  CHECK(created.at("ProvisionedThroughput") ==
        Json{{"NumberOfDecreasesToday", 0}, {"ReadCapacityUnits", 0}, {"WriteCapacityUnits", 0}});
  CHECK(created.at("OnDemandThroughput") == Json{{"MaxReadRequestUnits", 10}});
  CHECK(created.at("WarmThroughput").at("Status") == "UPDATING");
  const Json described = describe(db).at("GlobalSecondaryIndexes").at(0);
  CHECK(described.at("WarmThroughput") ==
        Json{{"ReadUnitsPerSecond", 13000}, {"WriteUnitsPerSecond", 4000}, {"Status", "ACTIVE"}});
}

// --- Ceilings of indexes: tables.md section 3

TEST_CASE("ceilings of an index have the same rules") {
  Json gsi = index_on("byA", {key("a", "HASH"), key("b", "RANGE")});
  for (const int value : {0, -1}) {
    gsi["OnDemandThroughput"] = {{"MaxReadRequestUnits", value}};
    create_refused(
        with_globals(Json::array({gsi})),
        invalid("Requested MaxReadRequestUnits for OnDemandThroughput for index: byA is outside of "
                "valid range"));
  }
  gsi["OnDemandThroughput"] = {{"MaxWriteRequestUnits", 40001}};
  DynamoDb db;
  check_refused(
      db, "CreateTable", with_globals(Json::array({gsi})),
      "Subscriber limit exceeded: Requested MaxWriteRequestUnits for OnDemandThroughput for index : "
      "byA exceeds TableMaxWriteCapacityUnits of the account in region us-east-1",
      "LimitExceededException");
  gsi["OnDemandThroughput"] = {{"MaxReadRequestUnits", 5}};
  gsi["ProvisionedThroughput"] = units(1, 1);
  create_refused(with(with_globals(Json::array({gsi})),
                      {{"BillingMode", nullptr}, {"ProvisionedThroughput", units(5, 5)}}),
                 invalid("MaxReadRequestUnits for OnDemandThroughput cannot be specified when table "
                         "BillingMode is PROVISIONED."));
}

TEST_CASE("warm throughput of an index is no less than what it starts with") {
  Json gsi = index_on("byA", {key("a", "HASH"), key("b", "RANGE")});
  gsi["WarmThroughput"] = {{"ReadUnitsPerSecond", 11999}};
  create_refused(
      with_globals(Json::array({gsi})),
      invalid("Requested ReadUnitsPerSecond for WarmThroughput for index byA is lower than initial "
              "throughput for OnDemand. See: "
              "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
              "warm-throughput.html"));
}

}  // namespace test::create_table_indexes_test
