#include <regex>

#include <catch2/catch.hpp>

#include "dynamodb/new_table.h"

// Facts: tables.md sections 2 and 3. Indexes: create_table_indexes_test.cc.
namespace test::create_table_test {

TEST_CASE("CreateTable answers the whole description of a provisioned table, the default") {
  DynamoDb db;
  const Json table = create(db, provisioned());
  CHECK(std::regex_match(table.at("TableId").get<std::string>(),
                         std::regex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")));
  const Json expected = {
      {"AttributeDefinitions", Json::array({attribute("pk", "S")})},
      {"TableName", "Music"},
      {"KeySchema", Json::array({key("pk", "HASH")})},
      {"TableStatus", "CREATING"},
      {"CreationDateTime", 1791633600.0},
      {"ProvisionedThroughput",
       {{"NumberOfDecreasesToday", 0}, {"ReadCapacityUnits", 5}, {"WriteCapacityUnits", 5}}},
      {"TableSizeBytes", 0},
      {"ItemCount", 0},
      {"TableArn", "arn:aws:dynamodb:us-east-1:000000000000:table/Music"},
      {"TableId", table.at("TableId")},
      {"DeletionProtectionEnabled", false}};
  CHECK(table == expected);
}

TEST_CASE("CreateTable answers zeros and a billing summary for an on-demand table") {
  DynamoDb db;
  const Json table = create(db, on_demand());
  CHECK(table.at("ProvisionedThroughput") ==
        Json{{"NumberOfDecreasesToday", 0}, {"ReadCapacityUnits", 0}, {"WriteCapacityUnits", 0}});
  CHECK(table.at("BillingModeSummary") == Json{{"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(!table.contains("WarmThroughput"));
  CHECK(!table.contains("OnDemandThroughput"));
}

TEST_CASE("The creation time carries a fraction of milliseconds") {
  DynamoDb db;
  db.clock().advance(std::chrono::microseconds(62'900));
  const Reply reply = db.call("CreateTable", on_demand());
  CHECK(reply.body.find(R"("CreationDateTime":1791633600.062)") != std::string::npos);
}

TEST_CASE("A table's id stays for its life and is another one for the next table of that name") {
  DynamoDb db;
  const Json first = create(db, on_demand()).at("TableId");
  CHECK(describe(db).at("TableId") == first);
  db.ok("UpdateTable", {{"TableName", "Music"}, {"DeletionProtectionEnabled", false}});
  CHECK(describe(db).at("TableId") == first);
  db.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(create(db, on_demand()).at("TableId") != first);
}

TEST_CASE("CreateTable shows what was asked for: class, protection, encryption, stream, warm throughput") {
  DynamoDb db;
  const Json table =
      create(db, with(on_demand(),
                      {{"TableClass", "STANDARD_INFREQUENT_ACCESS"},
                       {"DeletionProtectionEnabled", true},
                       {"SSESpecification", {{"Enabled", true}}},
                       {"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}}},
                       {"WarmThroughput", {{"ReadUnitsPerSecond", 15000}, {"WriteUnitsPerSecond", 5000}}}}));
  CHECK(table.at("TableClassSummary") == Json{{"TableClass", "STANDARD_INFREQUENT_ACCESS"}});
  CHECK(table.at("DeletionProtectionEnabled") == true);
  CHECK(table.at("SSEDescription").at("Status") == "ENABLED");
  CHECK(table.at("SSEDescription").at("SSEType") == "KMS");
  const std::string key_arn = table.at("SSEDescription").at("KMSMasterKeyArn");
  CHECK(key_arn.starts_with("arn:aws:kms:us-east-1:000000000000:key/"));
  CHECK(table.at("StreamSpecification") == Json{{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}});
  const std::string label = table.at("LatestStreamLabel");
  CHECK(label == "2026-10-10T12:00:00.000");
  CHECK(table.at("LatestStreamArn") == "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/" + label);
  CHECK(table.at("WarmThroughput") ==
        Json{{"ReadUnitsPerSecond", 15000}, {"WriteUnitsPerSecond", 5000}, {"Status", "UPDATING"}});
}

TEST_CASE("What was not asked for is absent: class, encryption, stream, indexes") {
  DynamoDb db;
  create(db, on_demand());
  const Json table = describe(db);
  for (const char* member : {"TableClassSummary", "SSEDescription", "StreamSpecification", "LatestStreamArn",
                             "LatestStreamLabel", "LocalSecondaryIndexes", "GlobalSecondaryIndexes",
                             "VectorIndexes", "OnDemandThroughput", "Replicas"}) {
    INFO(member);
    CHECK(!table.contains(member));
  }
}

TEST_CASE("A stream that is disabled leaves no trace") {
  DynamoDb db;
  const Json table = create(db, with(on_demand(), {{"StreamSpecification", {{"StreamEnabled", false}}}}));
  CHECK(!table.contains("StreamSpecification"));
  CHECK(!table.contains("LatestStreamArn"));
}

TEST_CASE("Tags and resource policy are taken and not echoed") {
  DynamoDb db;
  const Json table = create(db, with(on_demand(), {{"Tags", Json::array({{{"Key", "team"}, {"Value", "a"}}})},
                                                   {"ResourcePolicy", R"({"Version":"2012-10-17"})"}}));
  CHECK(!table.contains("Tags"));
  CHECK(!table.contains("ResourcePolicy"));
}

TEST_CASE("A table can be named by its ARN") {
  DynamoDb db;
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";
  CHECK(create(db, on_demand(arn)).at("TableName") == "Music");
  CHECK(describe(db, arn).at("TableArn") == arn);
}

TEST_CASE("An ARN that is none, or names no possible table, is judged as a name") {
  for (const std::string name : {"arn:x", "arn:aws:s3:us-east-1:000000000000:table/Music",
                                 "arn:aws:dynamodb:us-east-1:000000000000:table/a b",
                                 "arn:aws:dynamodb:us-east-1:000000000000:table/ab",
                                 "arn:aws:dynamodb:us-east-1:000000000000:Music"}) {
    create_refused(
        on_demand(name),
        constraint(name, "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  }
}

TEST_CASE("TableName missing is no model message and comes before those") {
  const std::string message = "The parameter 'TableName' is required but was not present in the request";
  create_refused(with(on_demand(), {{"TableName", nullptr}}), message);
  create_refused(
      with(on_demand(),
           {{"TableName", nullptr}, {"BillingMode", "INVALID"}, {"AttributeDefinitions", nullptr}}),
      message);
}

TEST_CASE("Table names have 3 to 255 characters of a small set") {
  create_refused(on_demand("ab"),
                 constraint("ab", "tableName", "Member must have length greater than or equal to 3"));
  create_refused(on_demand(""),
                 constraint("", "tableName", "Member must have length greater than or equal to 3"));
  const std::string long_name(256, 'a');
  create_refused(on_demand(long_name),
                 constraint(long_name, "tableName", "Member must have length less than or equal to 255"));
  create_refused(
      on_demand("x!"),
      constraint("x!", "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  DynamoDb db;
  create(db, on_demand(std::string(255, 'a')));
  create(db, on_demand("a.b-c_D9"));
  create(db, on_demand("abc"));
}

TEST_CASE("A key schema has one or two elements") {
  create_refused(with(on_demand(), {{"KeySchema", Json::array()}}),
                 constraint("[]", "keySchema", "Member must have length greater than or equal to 1"));
  create_refused(
      with(on_demand(), {{"KeySchema", {key("pk", "HASH"), key("sk", "RANGE"), key("x", "RANGE")}}}),
      constraint("[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, "
                 "keyType=RANGE), KeySchemaElement(attributeName=x, keyType=RANGE)]",
                 "keySchema", "Member must have length less than or equal to 2"));
  create_refused(
      with(on_demand(), {{"KeySchema", nullptr}}),
      enveloped("Value null at 'keySchema' failed to satisfy constraint: Member must not be null"));
}

TEST_CASE("Enumerations print their words in the service's order") {
  create_refused(with(on_demand(), {{"KeySchema", Json::array({key("pk", "INVALID")})}}),
                 constraint("INVALID", "keySchema.1.member.keyType",
                            "Member must satisfy enum value set: [HASH, RANGE]"));
  create_refused(with(on_demand(), {{"AttributeDefinitions", Json::array({attribute("pk", "INVALID")})}}),
                 constraint("INVALID", "attributeDefinitions.1.member.attributeType",
                            "Member must satisfy enum value set: [B, N, S]"));
  create_refused(with(on_demand(), {{"BillingMode", "FREE"}}),
                 constraint("FREE", "billingMode",
                            "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"));
}

TEST_CASE("Violations of the model are collected") {
  const Json request = with(on_demand("ab"), {{"BillingMode", "FREE"}, {"KeySchema", Json::array()}});
  create_refused(
      request,
      "3 validation errors detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must "
      "have "
      "length greater than or equal to 3; Value '[]' at 'keySchema' failed to satisfy constraint: Member "
      "must have "
      "length greater than or equal to 1; Value 'FREE' at 'billingMode' failed to satisfy constraint: "
      "Member must "
      "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]");
}

TEST_CASE("Of a member given twice the last counts, for its constraints too") {
  DynamoDb db;
  const std::string twice = R"({"TableName":"Music","TableName":"x!","BillingMode":"PAY_PER_REQUEST",)"
                            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                            R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})";
  const Reply refusal = db.call("CreateTable", std::string_view(twice));
  CHECK(refusal.message() ==
        constraint("x!", "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  const std::string fine =
      R"({"TableName":"x!","TableName":"Music",)" + twice.substr(twice.find("\"BillingMode\""));
  CHECK(db.call("CreateTable", std::string_view(fine)).status == 200);
  CHECK(describe(db).at("KeySchema").size() == 1);
}

TEST_CASE("Every key attribute is defined") {
  const std::string message = "Invalid KeySchema: Some index key attribute have no definition";
  create_refused(with(on_demand(), {{"KeySchema", Json::array({key("other", "HASH")})}}), message);
  create_refused(with(on_demand(), {{"KeySchema", {key("pk", "HASH"), key("sk", "RANGE")}}}), message);
  create_refused(with(on_demand(), {{"KeySchema", {key("pk", "HASH"), key("pk", "RANGE")}}}), message);
}

TEST_CASE("Key schemas go HASH, then RANGE, of different attributes") {
  Json request = on_demand();
  request["AttributeDefinitions"].push_back(attribute("sk", "S"));
  create_refused(with(request, {{"KeySchema", {key("pk", "RANGE"), key("sk", "HASH")}}}));
  create_refused(with(request, {{"KeySchema", {key("pk", "HASH"), key("sk", "HASH")}}}));
  create_refused(with(request, {{"KeySchema", {key("pk", "HASH"), key("pk", "RANGE")}}}));
  create_refused(with(on_demand(), {{"KeySchema", Json::array({key("pk", "RANGE")})}}));
}

TEST_CASE("A definition that no key uses is refused") {
  Json request = on_demand();
  request["AttributeDefinitions"].push_back(attribute("unused", "S"));
  create_refused(
      request,
      invalid("Number of attributes in KeySchema does not exactly match number of attributes defined in "
              "AttributeDefinitions"));
  create_refused(
      with_globals(Json::array({index_on("byA", Json::array({key("a", "HASH")}))})),
      invalid(
          "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, pk, sk], keys used: [a, pk, "
          "sk]"));
}

TEST_CASE("An attribute is defined once") {
  Json request = on_demand();
  request["AttributeDefinitions"].push_back(attribute("pk", "N"));
  create_refused(request);
}

TEST_CASE("Billing mode and throughput go together") {
  create_refused(
      with(on_demand(), {{"ProvisionedThroughput", units(5, 5)}}),
      invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
              "PAY_PER_REQUEST"));
  const std::string needed = invalid(
      "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  create_refused(with(on_demand(), {{"BillingMode", "PROVISIONED"}}), needed);
  create_refused(with(on_demand(), {{"BillingMode", nullptr}}), needed);
  create_refused(with(provisioned(), {{"ProvisionedThroughput", units(0, 5)}}),
                 constraint("0", "provisionedThroughput.readCapacityUnits",
                            "Member must have value greater than or equal to 1"));
  create_refused(with(provisioned(), {{"ProvisionedThroughput", units(5, -3)}}),
                 constraint("-3", "provisionedThroughput.writeCapacityUnits",
                            "Member must have value greater than or equal to 1"));
}

TEST_CASE("A billing mistake wins over one in the keys") {
  create_refused(
      with(on_demand(),
           {{"ProvisionedThroughput", units(5, 5)}, {"KeySchema", Json::array({key("other", "HASH")})}}),
      invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
              "PAY_PER_REQUEST"));
}

TEST_CASE("A stream has a view type if and only if it is enabled") {
  create_refused(
      with(on_demand(),
           {{"StreamSpecification", {{"StreamEnabled", false}, {"StreamViewType", "NEW_IMAGE"}}}}),
      invalid("Table is being created with a stream disabled, UpdateViewType should not be specified"));
  create_refused(with(on_demand(), {{"StreamSpecification", {{"StreamEnabled", true}}}}));
}

TEST_CASE("More than fifty tags, or bad ones, are refused") {
  Json tags = Json::array();
  for (int i = 0; i < 50; ++i) tags.push_back({{"Key", "k" + std::to_string(i)}, {"Value", ""}});
  DynamoDb db;
  create(db, with(on_demand(), {{"Tags", tags}}));
  tags.push_back({{"Key", "one more"}, {"Value", ""}});
  create_refused(with(on_demand(), {{"Tags", tags}}));
  create_refused(with(on_demand(), {{"Tags", Json::array({{{"Key", ""}, {"Value", "v"}}})}}));
  create_refused(
      with(on_demand(), {{"Tags", Json::array({{{"Key", std::string(129, 'k')}, {"Value", "v"}}})}}));
  create_refused(
      with(on_demand(), {{"Tags", Json::array({{{"Key", "k"}, {"Value", std::string(257, 'v')}}})}}));
  create_refused(with(on_demand(), {{"Tags", Json::array({{{"Key", "k"}}})}}));
}

TEST_CASE("A name in use is refused, after everything else") {
  DynamoDb db;
  create(db, on_demand());
  check_refused(db, "CreateTable", provisioned(), "Table already exists: Music", "ResourceInUseException");
  check_refused(db, "CreateTable", with(on_demand(), {{"BillingMode", "PROVISIONED"}}),
                invalid("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
                        "PROVISIONED"));
}

TEST_CASE("What is not served yet is refused with a clear sentence") {
  create_refused(
      with(on_demand(), {{"GlobalTableSourceArn", "arn:aws:dynamodb:us-east-1:000000000000:table/Other"}}),
      invalid("GlobalTableSourceArn is not supported by Dinette yet"));
  create_refused(with(on_demand(), {{"GlobalTableSettingsReplicationMode", "ENABLED"}}),
                 invalid("GlobalTableSettingsReplicationMode is not supported by Dinette yet"));
  create_refused(with(on_demand(), {{"VectorIndexes", Json::array()}}),
                 invalid("VectorIndexes is not supported by Dinette yet"));
}

// --- On-demand ceilings (section 3)

TEST_CASE("Ceilings belong to on-demand tables") {
  const auto request = [](Json table, Json ceilings) {
    return with(std::move(table), {{"OnDemandThroughput", std::move(ceilings)}});
  };
  const auto gate = [](const std::string& member) {
    return invalid(member +
                   " for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.");
  };
  create_refused(request(provisioned(), {{"MaxReadRequestUnits", 10}, {"MaxWriteRequestUnits", 10}}),
                 gate("MaxReadRequestUnits"));
  create_refused(request(provisioned(), {{"MaxWriteRequestUnits", 0}}), gate("MaxWriteRequestUnits"));
  const auto range = [](const std::string& member) {
    return invalid("Requested " + member + " for OnDemandThroughput for table is outside of valid range");
  };
  for (const int value : {0, -1, -2}) {
    create_refused(request(on_demand(), {{"MaxReadRequestUnits", value}, {"MaxWriteRequestUnits", value}}),
                   range("MaxReadRequestUnits"));
    create_refused(request(on_demand(), {{"MaxReadRequestUnits", 1}, {"MaxWriteRequestUnits", value}}),
                   range("MaxWriteRequestUnits"));
  }
  DynamoDb db;
  CHECK(create(db, request(on_demand(), {{"MaxReadRequestUnits", 1}})).at("OnDemandThroughput") ==
        Json{{"MaxReadRequestUnits", 1}});
}

TEST_CASE("An empty object of ceilings counts as absent, on a provisioned table too") {
  DynamoDb db;
  CHECK(!create(db, with(provisioned("Provisioned"), {{"OnDemandThroughput", Json::object()}}))
             .contains("OnDemandThroughput"));
  create(db, with(on_demand(), {{"OnDemandThroughput", Json::object()}}));
  CHECK(!describe(db).contains("OnDemandThroughput"));
}

}  // namespace test::create_table_test
