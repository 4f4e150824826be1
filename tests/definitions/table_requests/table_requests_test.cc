#include <string>

#include "definitions/defined.h"

// docs/definitions/table-requests.md sections 1 to 3.
namespace dinette::definitions::table_requests_test {
namespace {

using namespace defined;

constexpr std::string_view keys = R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
                                  R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}])";

/// Reads the input of CreateTable of a table "notes" with these members.
Definitions read_with(std::string_view members) {
  return read_definitions(R"({"TableName":"notes",)" + std::string(keys) + std::string(members) + '}',
                          "tables.json", {});
}

/// Reads the answer of DescribeTable for a table "notes" with these members.
Definitions read_described(std::string_view members) {
  return read_definitions(R"({"Table":{"TableName":"notes","TableStatus":"ACTIVE",)" + std::string(keys) +
                              std::string(members) + "}}",
                          "table.json", {});
}

/// Returns the input of CreateTable that `read` has for "notes", without keys and name.
std::string rest_of(const Definitions& read) {
  Node create = table_in(read, "notes").create;
  for (const char* const member : {"TableName", "AttributeDefinitions", "KeySchema"}) create.erase(member);
  return to_json(create);
}

}  // namespace

TEST_CASE("a list of inputs of CreateTable and answers of DescribeTable is read", "[definitions]") {
  const Definitions read = read_input("08-tables.json");
  CHECK(read.errors.empty());
  CHECK(read.format == "input of CreateTable or output of DescribeTable");
  CHECK(names_of(read.tables) == Texts{"labels", "harvest", "spare"});
  CHECK(create_in(read, "labels") ==
        R"({"TableName":"labels","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
        R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
        R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},)"
        R"("StreamSpecification":{"StreamEnabled":false}})");
  CHECK(
      create_in(read, "harvest") ==
      R"({"TableName":"harvest","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
      R"({"AttributeName":"day","AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},)"
      R"("DeletionProtectionEnabled":true,"BillingMode":"PAY_PER_REQUEST",)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"by-day","KeySchema":[{"AttributeName":"day","KeyType":"HASH"}],)"
      R"("Projection":{"ProjectionType":"ALL"}}],"SSESpecification":{"Enabled":true,"SSEType":"KMS",)"
      R"("KMSMasterKeyId":"arn:aws:kms:eu-west-1:000000000000:key/00000000-0000-4000-8000-000000000000"},)"
      R"("TableClass":"STANDARD_INFREQUENT_ACCESS"})");
  CHECK(texts_of(read.warnings) ==
        Texts{"table \"harvest\": its replicas are left out",
              "output of DescribeTable has no time to live, point-in-time recovery and tags, so these tables "
              "have none: \"harvest\""});
  // The service refuses the unused definition, with its own message.
  CHECK(table_in(read, "spare").create.find("AttributeDefinitions")->elements().size() == 2);
  CHECK(table_in(read, "spare").place.line == 28);
}

TEST_CASE("tables are read alone, in Table, TableDescription and tables, in JSON and YAML", "[definitions]") {
  const std::string table = R"({"TableName":"notes",)" + std::string(keys) + '}';
  for (const std::string& content : std::vector<std::string>{
           table, "[" + table + "]", R"({"Table":)" + table + "}", R"([{"Table":)" + table + "}]",
           R"({"TableDescription":)" + table + "}", R"({"tables":[)" + table + "]}",
           R"({"Tables":[{"Table":)" + table + "}]}",
           "TableName: notes\nAttributeDefinitions: [{AttributeName: id, AttributeType: S}]\nKeySchema:\n"
           "  - AttributeName: id\n    KeyType: HASH\n"}) {
    INFO(content);
    CHECK(names_of(read_definitions(content, "file", {}).tables) == Texts{"notes"});
  }
}

TEST_CASE("what is no table is an error with its position, and hides no other", "[definitions]") {
  const Definitions read = read_definitions(
      "[{\"TableName\":\"notes\"," + std::string(keys) + "},\n {\"TableNames\":[\"notes\"]}]", "tables.json",
      {});
  CHECK(names_of(read.tables) == Texts{"notes"});
  REQUIRE(read.errors.size() == 1);
  CHECK(read.errors[0].place.text() == "tables.json, line 2");
  CHECK(read.errors[0].text == "element 2 is no table: it has no TableName and KeySchema, and no Table");
}

TEST_CASE("members that only templates have become calls after CreateTable", "[definitions]") {
  const Definitions read = read_with(
      R"(,"TimeToLiveSpecification":{"AttributeName":"until","Enabled":"true"},)"
      R"("PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7},)"
      R"("ContributorInsightsSpecification":{"Enabled":true,"Mode":"THROTTLED_KEYS"},)"
      R"("KinesisStreamSpecification":{"StreamArn":"arn:aws:kinesis:us-east-1:1:stream/s"})");
  CHECK(rest_of(read) == "{}");
  CHECK(follow_up_in(read, "notes", "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}})");
  CHECK(
      follow_up_in(read, "notes", "UpdateContinuousBackups") ==
      R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}})");
  CHECK(follow_up_in(read, "notes", "UpdateContributorInsights") ==
        R"({"ContributorInsightsAction":"ENABLE","ContributorInsightsMode":"THROTTLED_KEYS"})");
  CHECK(follow_up_in(read, "notes", "EnableKinesisStreamingDestination") ==
        R"({"StreamArn":"arn:aws:kinesis:us-east-1:1:stream/s"})");
}

TEST_CASE("time to live and recovery that are off are not asked for", "[definitions]") {
  const Definitions read =
      read_with(R"(,"TimeToLiveSpecification":{"AttributeName":"until","Enabled":false},)"
                R"("PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":"no"})");
  CHECK(rest_of(read) == "{}");
  CHECK(table_in(read, "notes").follow_ups.empty());
}

TEST_CASE("encryption and streams may be written as in templates", "[definitions]") {
  CHECK(rest_of(read_with(R"(,"SSESpecification":{"SSEEnabled":true,"KMSMasterKeyId":"k"},)"
                          R"("StreamSpecification":{"StreamViewType":"NEW_IMAGE"})")) ==
        R"({"SSESpecification":{"KMSMasterKeyId":"k","Enabled":true,"SSEType":"KMS"},)"
        R"("StreamSpecification":{"StreamViewType":"NEW_IMAGE","StreamEnabled":true}})");
}

TEST_CASE("a member that CreateTable has not is left out with a warning", "[definitions]") {
  const Definitions read = read_with(R"(,"DeletionPolicy":"Retain")");
  CHECK(rest_of(read) == "{}");
  CHECK(texts_of(read.warnings) == Texts{"table \"notes\": \"DeletionPolicy\" is left out"});
}

TEST_CASE("plain items next to a table are its items, as in the configuration of jest-dynalite",
          "[definitions]") {
  const Definitions read =
      read_with(R"(,"data":[{"id":"a","n":1.50,"b":true,"none":null,"l":[1,"x"],"size":{"S":"small"}}])");
  CHECK(items_in(read, "notes") ==
        R"([{"id":{"S":"a"},"n":{"N":"1.50"},"b":{"BOOL":true},"none":{"NULL":true},)"
        R"("l":{"L":[{"N":"1"},{"S":"x"}]},"size":{"M":{"S":{"S":"small"}}}}])");
  CHECK(rest_of(read) == "{}");
}

TEST_CASE("of a description, the billing mode and throughput that is not 0 are read", "[definitions]") {
  CHECK(
      rest_of(read_described(
          R"(,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":3,"WriteCapacityUnits":2})")) ==
      R"({"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2}})");
  CHECK(
      rest_of(read_described(R"(,"ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0})")) ==
      R"({"BillingMode":"PAY_PER_REQUEST"})");
  CHECK(
      rest_of(read_described(
          R"(,"BillingModeSummary":{"BillingMode":"PROVISIONED"},"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2})")) ==
      R"({"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2},"BillingMode":"PROVISIONED"})");
  CHECK(
      rest_of(read_described(
          R"(,"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},"OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":-1})")) ==
      R"({"BillingMode":"PAY_PER_REQUEST","OnDemandThroughput":{"MaxReadRequestUnits":5}})");
}

TEST_CASE("of a description, indexes are read without what only describes them", "[definitions]") {
  CHECK(
      rest_of(read_described(
          R"(,"BillingModeSummary":{"BillingMode":"PROVISIONED"},)"
          R"("LocalSecondaryIndexes":[{"IndexName":"l","KeySchema":[],"IndexArn":"a","IndexSizeBytes":0,)"
          R"("Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
          R"("GlobalSecondaryIndexes":[{"IndexName":"g","IndexStatus":"ACTIVE","ItemCount":1,)"
          R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2,"NumberOfDecreasesToday":0}}])")) ==
      R"({"BillingMode":"PROVISIONED",)"
      R"("LocalSecondaryIndexes":[{"IndexName":"l","Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"g",)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}]})");
}

TEST_CASE("of a description, encryption that is on with a key of KMS is read", "[definitions]") {
  const std::string mode = R"(,"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"})";
  CHECK(rest_of(read_described(mode + R"(,"SSEDescription":{"Status":"DISABLED","SSEType":"KMS"})")) ==
        R"({"BillingMode":"PAY_PER_REQUEST"})");
  CHECK(rest_of(read_described(mode + R"(,"SSEDescription":{"Status":"ENABLED","SSEType":"KMS"})")) ==
        R"({"BillingMode":"PAY_PER_REQUEST","SSESpecification":{"Enabled":true,"SSEType":"KMS"}})");
}

TEST_CASE("of a restored table, from what it was restored is left out with a warning", "[definitions]") {
  CHECK(texts_of(read_described(R"(,"RestoreSummary":{"RestoreInProgress":false})").warnings).front() ==
        "table \"notes\": from what it was restored is left out");
}

TEST_CASE("descriptions as the AWS CLI prints them are read", "[definitions]") {
  const Definitions read = read_input("describe-tables.json");
  CHECK(read.errors.empty());
  CHECK(names_of(read.tables) == Texts{"app-members", "lap-times-7F3A", "processed"});
  CHECK(create_in(read, "processed") ==
        R"({"TableName":"processed","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},)"
        R"({"AttributeName":"at","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"},)"
        R"({"AttributeName":"at","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"})");
}

TEST_CASE("as many tables as an account can have are read, and one that is there twice is found",
          "[definitions]") {
  std::string many = "[";
  const auto add = [&many](int number) {
    many += (many.size() == 1 ? "" : ",") + (R"({"TableName":"t)" + std::to_string(100'000 + number)) +
            R"(","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"AttributeDefinitions":)"
            R"([{"AttributeName":"id","AttributeType":"S"}]})";
  };
  for (int i = 0; i < 9'999; ++i) add(i);
  add(0);
  const Definitions read = read_definitions(many + "]", "tables.json", {});
  CHECK(read.tables.size() == 9'999);
  CHECK(texts_of(read.errors) == Texts{"table \"t100000\" is defined twice, also at tables.json, line 1"});
}

TEST_CASE("too many tables are an error, not a long wait", "[definitions]") {
  std::string many = "[";
  for (int i = 0; i < 10'001; ++i)
    many += (i == 0 ? "" : ",") + (R"({"TableName":"t)" + std::to_string(i) + R"(","KeySchema":[]})");
  const Definitions read = read_definitions(many + "]", "tables.json", {});
  CHECK(read.errors.back().text == "there are more than 10000 tables");
}

}  // namespace dinette::definitions::table_requests_test
