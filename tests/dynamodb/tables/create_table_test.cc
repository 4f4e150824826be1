#include <regex>

#include <catch2/catch.hpp>

#include "dynamodb/tables/new_table.h"

// docs/service/tables.md sections 2 and 3. Indexes: create_table_indexes_test.cc.
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
  CHECK(table.at("TableThroughputModeSummary") == Json{{"TableThroughputMode", "PAY_PER_REQUEST"}});
  CHECK(!table.contains("WarmThroughput"));
  CHECK(!table.contains("OnDemandThroughput"));
}

TEST_CASE("definitions come back sorted by name") {
  DynamoDb db;
  Json request = on_demand();
  request["KeySchema"].push_back(key("sk", "RANGE"));
  request["AttributeDefinitions"] = {attribute("sk", "S"), attribute("pk", "S"), attribute("g", "N")};
  request["GlobalSecondaryIndexes"] = Json::array({index_on("byG", Json::array({key("g", "HASH")}))});
  const Json sorted = {attribute("g", "N"), attribute("pk", "S"), attribute("sk", "S")};
  CHECK(create(db, request).at("AttributeDefinitions") == sorted);
  CHECK(describe(db).at("AttributeDefinitions") == sorted);
}

TEST_CASE("the creation time carries a fraction of milliseconds") {
  DynamoDb db;
  db.clock().advance(std::chrono::microseconds(62'900));
  const Reply reply = db.call("CreateTable", on_demand());
  CHECK(reply.body.find(R"("CreationDateTime":1791633600.062)") != std::string::npos);
}

TEST_CASE("a table's id stays for its life and is another one for the next table of that name") {
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

TEST_CASE("what was not asked for is absent: class, encryption, stream, indexes") {
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

TEST_CASE("a stream that is disabled leaves no trace") {
  DynamoDb db;
  const Json table = create(db, with(on_demand(), {{"StreamSpecification", {{"StreamEnabled", false}}}}));
  CHECK(!table.contains("StreamSpecification"));
  CHECK(!table.contains("LatestStreamArn"));
}

TEST_CASE("tags and resource policy are taken and not echoed") {
  DynamoDb db;
  const Json table = create(
      db,
      with(
          on_demand(),
          {{"Tags", Json::array({{{"Key", "team"}, {"Value", "a"}}})},
           {"ResourcePolicy",
            R"({"Statement":{"Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"dynamodb:GetItem","Resource":"*"}})"}}));
  CHECK(!table.contains("Tags"));
  CHECK(!table.contains("ResourcePolicy"));
}

TEST_CASE("a table can be named by its ARN") {
  DynamoDb db;
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";
  CHECK(create(db, on_demand(arn)).at("TableName") == "Music");
  CHECK(describe(db, arn).at("TableArn") == arn);
}

TEST_CASE("an invalid ARN, or one of an impossible table, is checked as a name") {
  for (const std::string name : {"arn:x", "arn:aws:s3:us-east-1:000000000000:table/Music",
                                 "arn:aws:dynamodb:us-east-1:000000000000:table/a b",
                                 "arn:aws:dynamodb:us-east-1:000000000000:table/ab",
                                 "arn:aws:dynamodb:us-east-1:000000000000:Music"}) {
    create_refused(
        on_demand(name),
        constraint(name, "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  }
}

TEST_CASE("a table cannot be created by an ARN of elsewhere, or of a part of a table") {
  const auto refused = [](const std::string& arn, const std::string& problem) {
    create_refused(on_demand(arn), enveloped(problem + " in '" + arn + "'"));
  };
  refused("arn:aws:dynamodb:eu-west-1:000000000000:table/Music", "Invalid AWS region");
  refused("arn:aws-cn:dynamodb:us-east-1:000000000000:table/Music", "Invalid AWS partition");
  refused("arn:aws:dynamodb:us-east-1:000000000000:table/Music/index/byA", "Invalid resource type");
  refused("arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/2026-10-10T12:00:00.000",
          "Invalid resource type");
  DynamoDb db;
  check_refused(db, "CreateTable", on_demand("arn:aws:dynamodb:us-east-1:111111111111:table/Music"),
                "Access is denied", "AccessDeniedException");
  CHECK(db.ok("ListTables", Json::object()).at("TableNames").empty());
}

TEST_CASE("TableName missing is not a model message and comes before those") {
  const std::string message = "The parameter 'TableName' is required but was not present in the request";
  create_refused(with(on_demand(), {{"TableName", nullptr}}), message);
  create_refused(
      with(on_demand(),
           {{"TableName", nullptr}, {"BillingMode", "INVALID"}, {"AttributeDefinitions", nullptr}}),
      message);
}

TEST_CASE("table names have 3 to 255 characters of a small set") {
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

TEST_CASE("a key schema has one or two elements") {
  create_refused(with(on_demand(), {{"KeySchema", Json::array()}}),
                 constraint("[]", "keySchema", "Member must have length greater than or equal to 1"));
  create_refused(
      with(on_demand(), {{"KeySchema", {key("pk", "HASH"), key("sk", "RANGE"), key("x", "RANGE")}}}),
      constraint("[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, "
                 "keyType=RANGE), KeySchemaElement(attributeName=x, keyType=RANGE)]",
                 "keySchema", "Member must have length less than or equal to 2"));
}

// docs/service/tables.md section 2, measured on the service (lab 2026-10).
TEST_CASE("definitions and a key schema are required, unless another table is the source") {
  const std::string no_definitions =
      "Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null";
  const std::string no_schema =
      "Value null at 'keySchema' failed to satisfy constraint: Member must not be null";
  create_refused(with(on_demand(), {{"AttributeDefinitions", nullptr}}), enveloped(no_definitions));
  create_refused(with(on_demand(), {{"KeySchema", nullptr}}), enveloped(no_schema));
  const Json neither = with(on_demand(), {{"AttributeDefinitions", nullptr}, {"KeySchema", nullptr}});
  create_refused(neither, "2 validation errors detected: " + no_definitions + "; " + no_schema);
  create_refused(
      with(neither, {{"GlobalTableSourceArn", "arn:aws:dynamodb:us-east-1:000000000000:table/Other"}}),
      invalid("GlobalTableSourceArn: there is no such table in another region: "
              "arn:aws:dynamodb:us-east-1:000000000000:table/Other"));
}

TEST_CASE("enumerations print their words in the service's order") {
  create_refused(with(on_demand(), {{"KeySchema", Json::array({key("pk", "INVALID")})}}),
                 constraint("INVALID", "keySchema.1.member.keyType",
                            "Member must satisfy enum value set: [HASH, RANGE]"));
  create_refused(with(on_demand(), {{"AttributeDefinitions", Json::array({attribute("pk", "INVALID")})}}),
                 constraint("INVALID", "attributeDefinitions.1.member.attributeType",
                            "Member must satisfy enum value set: [B, N, S]"));
  create_refused(with(on_demand(), {{"BillingMode", "FREE"}}),
                 constraint("FREE", "billingMode",
                            "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"));
  // Those that were never seen are in the order of Java's hash codes.
  create_refused(
      with(on_demand(), {{"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "BOTH"}}}}),
      constraint(
          "BOTH", "streamSpecification.streamViewType",
          "Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]"));
  create_refused(
      with(on_demand(), {{"SSESpecification", {{"SSEType", "NONE"}}}}),
      constraint("NONE", "sSESpecification.sSEType", "Member must satisfy enum value set: [AES256, KMS]"));
  create_refused(projecting({{"ProjectionType", "SOME"}}),
                 constraint("SOME", "globalSecondaryIndexes.1.member.projection.projectionType",
                            "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]"));
}

TEST_CASE("an unknown table class has a sentence of its own, after those of the model") {
  const Json request = with(on_demand(), {{"TableClass", "GLACIER"}});
  create_refused(request,
                 "Invalid table-class parameter provided. Please try again with a valid table-class value: "
                 "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
  create_refused(with(request, {{"BillingMode", "FREE"}}),
                 constraint("FREE", "billingMode",
                            "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"));
}

TEST_CASE("violations of the model are collected") {
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

TEST_CASE("of a member given twice the last counts, for its constraints too") {
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

TEST_CASE("every key attribute is defined") {
  const std::string message = "Invalid KeySchema: Some index key attribute have no definition";
  create_refused(with(on_demand(), {{"KeySchema", Json::array({key("other", "HASH")})}}), message);
  create_refused(with(on_demand(), {{"KeySchema", {key("pk", "HASH"), key("sk", "RANGE")}}}), message);
  create_refused(with(on_demand(), {{"KeySchema", {key("pk", "HASH"), key("pk", "RANGE")}}}), message);
}

TEST_CASE("key schemas go HASH, then RANGE, of different attributes") {
  Json request = on_demand();
  request["AttributeDefinitions"].push_back(attribute("sk", "S"));
  const std::string no_hash = "Invalid KeySchema: The first KeySchemaElement is not a HASH key type";
  create_refused(with(request, {{"KeySchema", {key("pk", "RANGE"), key("sk", "HASH")}}}), no_hash);
  create_refused(with(on_demand(), {{"KeySchema", Json::array({key("pk", "RANGE")})}}), no_hash);
  create_refused(with(request, {{"KeySchema", {key("pk", "HASH"), key("sk", "HASH")}}}),
                 "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  // Before the definition that is not used then.
  create_refused(with(request, {{"KeySchema", {key("pk", "HASH"), key("pk", "RANGE")}}}),
                 "Both the Hash Key and the Range Key element in the KeySchema have the same name");
}

TEST_CASE("a definition that no key uses is refused") {
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

TEST_CASE("a definition that no key uses is reported before what is wrong with indexes") {
  const std::string unused = invalid(
      "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, pk, sk], keys used: [a, pk, sk]");
  const Json by_a = index_on("byA", Json::array({key("a", "HASH")}));
  create_refused(with_globals(Json::array({by_a, by_a})), unused);
  create_refused(with_globals(Json::array({with(by_a, {{"Projection", Json::object()}})})), unused);
  create_refused(with_globals(Json::array({with(by_a, {{"ProvisionedThroughput", units(1, 1)}})})), unused);
  create_refused(with_globals(Json::array({index_on("byA", {key("a", "HASH"), key("a", "RANGE")})})),
                 "The KeySchema contains multiple key attributes with the same name");
}

TEST_CASE("an attribute is defined once") {
  for (const char* type : {"S", "N"}) {
    Json request = on_demand();
    request["AttributeDefinitions"].push_back(attribute("pk", type));
    create_refused(request, "Attribute Name is duplicated: pk");
  }
}

TEST_CASE("billing mode and throughput go together") {
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
  create_refused(
      with(provisioned(), {{"ProvisionedThroughput", units(0, 0)}}),
      "2 validation errors detected: Value '0' at 'provisionedThroughput.writeCapacityUnits' failed to "
      "satisfy constraint: Member must have value greater than or equal to 1; Value '0' at "
      "'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value "
      "greater than or equal to 1");
  create_refused(with(provisioned(), {{"ProvisionedThroughput", {{"WriteCapacityUnits", nullptr}}}}),
                 enveloped("Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy "
                           "constraint: Member must not be null"));
}

TEST_CASE("a table has no more units than DescribeLimits says") {
  const auto maximum = [](const std::string& member, const std::string& value) {
    return "The requested " + member + ", " + value +
           ", is above the per table maximum for the account in us-east-1. Per table maximum: 40000. Refer "
           "to "
           "the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.";
  };
  DynamoDb db;
  const std::string limit = "LimitExceededException";
  check_refused(db, "CreateTable", with(provisioned(), {{"ProvisionedThroughput", units(40001, 50000)}}),
                maximum("ReadCapacityUnits", "40001"), limit);
  check_refused(db, "CreateTable", with(provisioned(), {{"ProvisionedThroughput", units(40000, 50000)}}),
                maximum("WriteCapacityUnits", "50000"), limit);
  check_refused(db, "CreateTable",
                with(on_demand(), {{"OnDemandThroughput", {{"MaxReadRequestUnits", 40001}}}}),
                "Subscriber limit exceeded: Requested MaxReadRequestUnits for OnDemandThroughput for table "
                "exceeds TableMaxReadCapacityUnits of the account in region us-east-1",
                limit);
  check_refused(
      db, "CreateTable", with(on_demand(), {{"WarmThroughput", {{"WriteUnitsPerSecond", 40001}}}}),
      "Subscriber limit exceeded: Requested WriteUnitsPerSecond for WarmThroughput for table exceeds "
      "TableMaxWriteCapacityUnits of the account in region us-east-1",
      limit);
  create(db, with(provisioned(), {{"ProvisionedThroughput", units(40000, 40000)}}));
}

TEST_CASE("warm throughput is no less than what a table starts with") {
  const auto refused = [](const Json& request, const std::string& kind, const std::string& start) {
    create_refused(request, invalid("Requested " + kind +
                                    "UnitsPerSecond for WarmThroughput for table is lower than " + start));
  };
  const std::string on_demand_start =
      "initial throughput for OnDemand. See: "
      "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html";
  const auto warm = [](Json table, const Json& units) {
    return with(std::move(table), {{"WarmThroughput", units}});
  };
  refused(warm(on_demand(), {{"ReadUnitsPerSecond", 11999}, {"WriteUnitsPerSecond", 3999}}), "Read",
          on_demand_start);
  refused(warm(on_demand(), {{"WriteUnitsPerSecond", 3999}}), "Write", on_demand_start);
  refused(warm(provisioned(), {{"ReadUnitsPerSecond", 4}}), "Read",
          "ReadCapacityUnits of ProvisionedThroughput");
  DynamoDb db;
  create(db, warm(provisioned(), {{"ReadUnitsPerSecond", 5}}));
}

TEST_CASE("the members of an encryption fit each other") {
  const auto refused = [](const Json& specification, const std::string& message) {
    create_refused(with(on_demand(), {{"SSESpecification", specification}}), invalid(message));
  };
  refused({{"Enabled", false}, {"SSEType", "KMS"}}, "SSEType can not be specified if Enabled is false");
  refused({{"Enabled", false}, {"KMSMasterKeyId", "alias/x"}},
          "KMSMasterKeyId can not be specified if Enabled is false");
  refused({{"Enabled", true}, {"SSEType", "AES256"}}, "SSEType AES256 is not supported");
  refused({{"Enabled", true}, {"KMSMasterKeyId", "alias/x"}},
          "SSEType KMS is required if KMSMasterKeyId is specified");
  const auto encrypted = [](const Json& specification) {
    DynamoDb db;
    return create(db, with(on_demand(), {{"SSESpecification", specification}})).contains("SSEDescription");
  };
  CHECK(encrypted({{"SSEType", "KMS"}}));
  CHECK_FALSE(encrypted(Json::object()));
  CHECK_FALSE(encrypted({{"Enabled", false}}));
}

TEST_CASE("a billing mistake wins over one in the keys") {
  create_refused(
      with(on_demand(),
           {{"ProvisionedThroughput", units(5, 5)}, {"KeySchema", Json::array({key("other", "HASH")})}}),
      invalid("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
              "PAY_PER_REQUEST"));
}

TEST_CASE("a stream has a view type if and only if it is enabled") {
  create_refused(
      with(on_demand(),
           {{"StreamSpecification", {{"StreamEnabled", false}, {"StreamViewType", "NEW_IMAGE"}}}}),
      invalid("Table is being created with a stream disabled, UpdateViewType should not be specified"));
  create_refused(with(on_demand(), {{"StreamSpecification", {{"StreamEnabled", true}}}}),
                 invalid("Table is being created with a stream enabled, UpdateViewType is required"));
}

TEST_CASE("a resource policy has 20480 bytes at most") {
  create_refused(with(on_demand(), {{"ResourcePolicy", std::string(20'481, ' ')}}),
                 invalid("Maximum policy size of 20480 bytes exceeded"));
}

TEST_CASE("a name in use is refused, after everything else") {
  DynamoDb db;
  create(db, on_demand());
  check_refused(db, "CreateTable", provisioned(), "Table already exists: Music", "ResourceInUseException");
  check_refused(db, "CreateTable", with(on_demand(), {{"BillingMode", "PROVISIONED"}}),
                invalid("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
                        "PROVISIONED"));
}

// --- On-demand ceilings (section 3)

TEST_CASE("ceilings belong to on-demand tables") {
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

TEST_CASE("an empty object of ceilings counts as absent, on a provisioned table too") {
  DynamoDb db;
  CHECK(!create(db, with(provisioned("Provisioned"), {{"OnDemandThroughput", Json::object()}}))
             .contains("OnDemandThroughput"));
  create(db, with(on_demand(), {{"OnDemandThroughput", Json::object()}}));
  CHECK(!describe(db).contains("OnDemandThroughput"));
}

}  // namespace test::create_table_test
