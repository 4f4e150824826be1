#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/bulk/bulk.h"

// Requests about bulk operations and their answers (docs/service/export-import.md section 3).
namespace test::bulk_requests_test {

using namespace std::chrono_literals;

namespace {

const std::string unknown_operation = music_arn + "/bulk-operation/01791633602000-0123abcd";

Reply begin(DynamoDb& db, const Json& members) {
  return db.call("StartBulkPutItems", bulk_request(members));
}

void check_names(const Json& members, const std::string& member) {
  Bulk db;
  const Reply reply = begin(db, members);
  CHECK(reply.error() == "ValidationException");
  CHECK_THAT(reply.message(), Catch::Contains("'" + member + "' failed to satisfy constraint"));
}

Json in_input(const Json& members) {
  return {{"InputS3Configuration", members}};
}

Json in_output(const Json& members) {
  return {{"OutputS3Configuration", members}};
}

/// All pages of ListBulkOperations.
std::vector<std::string> listed(DynamoDb& db, Json request = Json::object()) {
  std::vector<std::string> arns;
  for (;;) {
    const Json page = db.ok("ListBulkOperations", request);
    for (const Json& one : page.at("BulkOperationsSummaryList")) arns.push_back(one.at("BulkOperationArn"));
    if (!page.contains("NextToken")) return arns;
    request["NextToken"] = page.at("NextToken");
  }
}

Json index_change() {
  return {{"TableName", "Music"},
          {"AttributeDefinitions", Json::array({attribute("pk", "S"), attribute("g", "S")})},
          {"GlobalSecondaryIndexUpdates",
           Json::array({{{"Create", index_on("byG", Json::array({key("g", "HASH")}))}}})}};
}

}  // namespace

TEST_CASE("bulk operations: what the answer and descriptions say") {
  Bulk db;
  db.source("in/a", bulk_line("a", 1));
  const std::int64_t now = 1791633602;
  const Json request = {
      {"ClientToken", "token"},
      {"MaxWriteRequestUnits", 1024},
      {"InputS3Configuration", {{"S3KeyPrefix", "in/"}}},
      {"OutputS3Configuration", {{"S3KeyPrefix", "out"}, {"OutputType", Json::array({"ERROR"})}}}};
  const Json begun = db.begin(request);
  const Json expected = {
      {"BulkOperationArn", begun.at("BulkOperationArn")},
      {"BulkOperationStatus", "IN_PROGRESS"},
      {"TableDetails", Json::array({{{"TableName", "Music"}, {"TableId", describe(db).at("TableId")}}})},
      {"ClientToken", "token"},
      {"InputS3Configuration",
       {{"S3Bucket", "source"},
        {"S3KeyPrefix", "in/"},
        {"InputFormat", "DYNAMODB_JSON"},
        {"InputCompressionType", "NONE"}}},
      {"OutputS3Configuration",
       {{"S3Bucket", "reports"}, {"S3KeyPrefix", "out"}, {"OutputType", Json::array({"ERROR"})}}},
      {"StartTime", now},
      {"ProcessedItemCount", 0},
      {"ProcessedInputBytes", 0},
      {"FailedItemCount", 0},
      {"BulkOperationUsage",
       Json::array({{{"TableName", "Music"}, {"BulkPutBytes", 0}, {"Table", {{"BulkPutBytes", 0}}}}})},
      {"MaxWriteRequestUnits", 1024},
      {"PerformanceTier", "STANDARD"}};
  CHECK(begun == expected);
  CHECK_THAT(begun.at("BulkOperationArn").get<std::string>(),
             Catch::Matches(music_arn + "/bulk-operation/01791633602000-[0-9a-f]{8}"));
  CHECK(db.description(begun) == begun);
  Json ended = expected;
  const auto size = bulk_line("a", 1).size();
  ended.merge_patch({{"BulkOperationStatus", "COMPLETED"},
                     {"EndTime", now},
                     {"ProcessedItemCount", 1},
                     {"ProcessedInputBytes", size},
                     {"TotalInputBytes", size}});
  ended["BulkOperationUsage"][0].merge_patch({{"BulkPutBytes", 6}, {"Table", {{"BulkPutBytes", 6}}}});
  CHECK(db.ended(begun) == ended);
  db.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(db.description(begun) == ended);
}

TEST_CASE("bulk operations: the table may be named by its ARN, and the tier chosen") {
  Bulk db;
  const Json begun = db.begin({{"TableName", music_arn}, {"PerformanceTier", "ACCELERATED"}});
  CHECK(begun.at("TableDetails").at(0).at("TableName") == "Music");
  CHECK(begun.at("PerformanceTier") == "ACCELERATED");
  CHECK_FALSE(begun.contains("MaxWriteRequestUnits"));
  CHECK_FALSE(begun.at("ClientToken").get<std::string>().empty());
  CHECK(db.ended(begun).at("BulkOperationStatus") == "COMPLETED");
}

TEST_CASE("bulk operations: requests that the model does not allow") {
  check_names({{"ClientToken", ""}}, "clientToken");
  check_names({{"ClientToken", "a$"}}, "clientToken");
  check_names({{"MaxWriteRequestUnits", 1023}}, "maxWriteRequestUnits");
  check_names({{"PerformanceTier", "FAST"}}, "performanceTier");
  check_names({{"TableName", ""}}, "tableName");
  check_names(in_input({{"InputFormat", "CSV"}}), "inputS3Configuration.inputFormat");
  check_names(in_input({{"InputCompressionType", "LZ4"}}), "inputS3Configuration.inputCompressionType");
  check_names(in_input({{"S3Bucket", "a b"}}), "inputS3Configuration.s3Bucket");
  check_names(in_input({{"S3Bucket", nullptr}}), "inputS3Configuration.s3Bucket");
  check_names(in_input({{"S3KeyPrefix", std::string(1025, 'k')}}), "inputS3Configuration.s3KeyPrefix");
  check_names(in_output({{"S3Bucket", nullptr}}), "outputS3Configuration.s3Bucket");
  check_names(in_output({{"OutputType", nullptr}}), "outputS3Configuration.outputType");
  check_names(in_output({{"OutputType", Json::array()}}), "outputS3Configuration.outputType");
  check_names(in_output({{"S3SseAlgorithm", "DES"}}), "outputS3Configuration.s3SseAlgorithm");
}

TEST_CASE("bulk operations: a key id is only for encryption with KMS") {
  Bulk db;
  const Json with_key = in_output({{"S3SseKmsKeyId", "alias/mine"}});
  CHECK(begin(db, with_key).refusal() ==
        "Invalid Request: KMS Key Id is not supported for this encryption type");
  const Json with_kms = in_output({{"S3SseAlgorithm", "KMS"}, {"S3SseKmsKeyId", "alias/mine"}});
  CHECK(db.done(with_kms).at("OutputS3Configuration").at("S3SseKmsKeyId") == "alias/mine");
}

TEST_CASE("bulk operations: the table must be there, and neither CREATING nor DELETING") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = 2s;
  Bulk db(options);
  const auto error = [&](const std::string& table) { return begin(db, {{"TableName", table}}).error(); };
  CHECK(error("Nobodys") == "ResourceNotFoundException");
  db.ok("CreateTable", on_demand("New"));
  CHECK(error("New") == "ResourceInUseException");
  db.DynamoDb::clock().advance(2s);
  CHECK(error("New").empty());
  db.DynamoDb::clock().advance(2s);
  db.jobs().run_due();
  db.ok("DeleteTable", {{"TableName", "New"}});
  CHECK(error("New") == "ResourceInUseException");
}

TEST_CASE("bulk operations: not while an index is created, but while the table is UPDATING otherwise") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = 2s;
  Bulk db(options);
  db.ok("UpdateTable",
        {{"TableName", "Music"}, {"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(5, 5)}});
  REQUIRE(describe(db).at("TableStatus") == "UPDATING");
  CHECK(db.done().at("BulkOperationStatus") == "IN_PROGRESS");
  db.DynamoDb::clock().advance(3s);
  db.jobs().run_due();
  db.ok("UpdateTable", with(index_change(),
                            {{"GlobalSecondaryIndexUpdates",
                              Json::array({{{"Create", with(index_on("byG", Json::array({key("g", "HASH")})),
                                                            {{"ProvisionedThroughput", units(5, 5)}})}}})}}));
  CHECK(begin(db, Json::object()).error() == "ResourceInUseException");
  db.jobs().run_due();  // which fills the index
  CHECK(begin(db, Json::object()).error() == "ResourceInUseException");
  db.DynamoDb::clock().advance(3s);
  db.jobs().run_due();
  CHECK(begin(db, Json::object()).error().empty());
}

TEST_CASE("bulk operations: not while the table is restored") {
  Bulk db;
  put_number(db, "a", 1);
  db.ok("RestoreTableFromBackup", restore_from(backup_arn(db)));
  CHECK(begin(db, {{"TableName", "Copy"}}).error() == "ResourceInUseException");
  db.jobs().run_due();
  CHECK(db.done({{"TableName", "Copy"}}).at("BulkOperationStatus") == "COMPLETED");
}

TEST_CASE("bulk operations: not while an index is filled") {
  Bulk db;
  for (int i = 0; i < 1000; ++i) db.put("Music", {{"pk", {{"S", std::to_string(i)}}}, {"g", {{"S", "x"}}}});
  db.ok("UpdateTable", index_change());
  CHECK(begin(db, Json::object()).error() == "ResourceInUseException");
  db.jobs().run_due();
  CHECK(begin(db, Json::object()).error().empty());
}

TEST_CASE("bulk operations: one at a time on a table") {
  Bulk db;
  const Json first = db.begin();
  CHECK(begin(db, Json::object()).error() == "ResourceInUseException");
  db.create_table("Other");
  const Json other = db.begin({{"TableName", "Other"}});
  db.ended(first);
  CHECK(db.done().at("BulkOperationStatus") == "COMPLETED");
  CHECK(db.description(other).at("BulkOperationStatus") == "COMPLETED");
}

TEST_CASE("bulk operations: at most 50 at a time") {
  Bulk db;
  const auto table = [](int number) { return Json{{"TableName", "Table" + std::to_string(number)}}; };
  for (int i = 0; i <= 50; ++i) db.create_table("Table" + std::to_string(i));
  for (int i = 0; i < 50; ++i) db.begin(table(i));
  CHECK(begin(db, table(50)).error() == "LimitExceededException");
  db.jobs().run_due();
  CHECK(begin(db, table(50)).error().empty());
}

TEST_CASE("bulk operations: a token begins one operation") {
  Bulk db;
  const Json token = {{"ClientToken", "token"}};
  const Json first = db.begin(token);
  CHECK(db.begin(token) == first);
  CHECK(db.begin(with(token, {{"TableName", music_arn}})) == first);
  db.create_table("Other");
  for (const Json& change : std::vector<Json>{{{"TableName", "Other"}},
                                              {{"MaxWriteRequestUnits", 2000}},
                                              {{"PerformanceTier", "ACCELERATED"}},
                                              in_input({{"S3Bucket", "other"}}),
                                              in_input({{"S3KeyPrefix", "x"}}),
                                              in_input({{"S3BucketOwner", "000000000000"}}),
                                              in_input({{"InputFormat", "ION"}}),
                                              in_input({{"InputCompressionType", "GZIP"}}),
                                              in_output({{"S3Bucket", "other"}}),
                                              in_output({{"S3KeyPrefix", "x"}}),
                                              in_output({{"S3BucketOwner", "000000000000"}}),
                                              in_output({{"S3SseAlgorithm", "AES256"}}),
                                              in_output({{"S3SseAlgorithm", "KMS"}}),
                                              in_output({{"OutputType", Json::array({"ERROR"})}})}) {
    Json request = bulk_request(token);
    request.merge_patch(change);
    CHECK(db.call("StartBulkPutItems", request).error() == "IdempotentParameterMismatchException");
  }
  const Json ended = db.ended(first);
  CHECK(db.begin(token) == ended);
  db.DynamoDb::clock().advance(8h - 1s);
  CHECK(db.begin(token) == ended);
  db.DynamoDb::clock().advance(1s);
  CHECK(db.begin(token).at("BulkOperationArn") != first.at("BulkOperationArn"));
}

TEST_CASE("bulk operations: the key of encryption counts for their token") {
  Bulk db;
  const auto encrypted = [](const char* key) {
    return with(in_output({{"S3SseAlgorithm", "KMS"}, {"S3SseKmsKeyId", key}}), {{"ClientToken", "token"}});
  };
  const Json first = db.begin(encrypted("alias/a"));
  CHECK(begin(db, encrypted("alias/b")).error() == "IdempotentParameterMismatchException");
  CHECK(db.begin(encrypted("alias/a")) == first);
}

TEST_CASE("bulk operations: a call that fails does not use up its token") {
  Bulk db;
  CHECK(begin(db, {{"ClientToken", "token"}, {"TableName", "Nobodys"}}).status == 400);
  CHECK(begin(db, {{"ClientToken", "token"}}).status == 200);
}

TEST_CASE("bulk operations: unknown, invalid and foreign ARNs have an error each") {
  Bulk db;
  for (const char* const operation : {"DescribeBulkOperation", "CancelBulkOperation"}) {
    const auto call = [&](const std::string& arn) {
      return db.call(operation, Json{{"BulkOperationArn", arn}});
    };
    CHECK(call(unknown_operation).error() == "ResourceNotFoundException");
    for (const std::string& arn :
         {music_arn, music_arn + "/import/01791633602000-0123abcd", std::string(40, 'x')})
      CHECK(call(arn).error() == "ValidationException");
    std::string foreign = unknown_operation;
    foreign.replace(foreign.find("000000000000"), 12, "111111111111");
    CHECK(call(foreign).error() == "AccessDeniedException");
    CHECK(call("short").error() == "ValidationException");
  }
}

TEST_CASE("bulk operations: listed, the newest first, in pages") {
  Bulk db;
  std::vector<std::string> arns;
  for (int i = 0; i < 13; ++i) {
    const Json begun = i % 2 == 0 ? db.begin() : db.begin(in_input({{"S3Bucket", "nobodys"}}));
    arns.insert(arns.begin(), begun.at("BulkOperationArn"));
    db.ended(begun);
    db.DynamoDb::clock().advance(1s);
  }
  const Json page = db.ok("ListBulkOperations", Json::object());
  CHECK(page.at("BulkOperationsSummaryList").size() == 10);
  CHECK(page.contains("NextToken"));
  CHECK(listed(db) == arns);
  CHECK(listed(db, {{"MaxResults", 3}}) == arns);
  const Json newest = page.at("BulkOperationsSummaryList").at(0);
  CHECK(newest == Json{{"BulkOperationArn", arns.front()},
                       {"BulkOperationStatus", "COMPLETED"},
                       {"StartTime", 1791633614},
                       {"EndTime", 1791633614}});
  CHECK(page.at("BulkOperationsSummaryList").at(1).at("BulkOperationStatus") == "FAILED");
}

// API reference, ListBulkOperations.
TEST_CASE("bulk operations: a page of the list has 1 to 25, a token digits in sixteens") {
  Bulk db;
  const auto refusal = [&](const std::string& member, const Json& value) {
    return db.call("ListBulkOperations", Json{{member, value}}).refusal();
  };
  const auto sentence = [](const std::string& member, const std::string& value, const std::string& rule) {
    return enveloped("Value '" + value + "' at '" + member + "' failed to satisfy constraint: Member must " +
                     rule);
  };
  db.ok("ListBulkOperations", {{"MaxResults", 25}});
  CHECK(refusal("MaxResults", 0) == sentence("maxResults", "0", "have value greater than or equal to 1"));
  CHECK(refusal("MaxResults", 26) == sentence("maxResults", "26", "have value less than or equal to 25"));
  const std::string pattern = "satisfy regular expression pattern: ([0-9a-f]{16})+";
  for (const std::string token : {"x", "0123456789abcde", "0123456789ABCDEF"})
    CHECK(refusal("NextToken", token) == sentence("nextToken", token, pattern));
  CHECK(refusal("NextToken", std::string(1040, '0')) ==
        sentence("nextToken", std::string(1040, '0'), "have length less than or equal to 1024"));
  const std::string unknown(16, '0');
  CHECK(refusal("NextToken", unknown) ==
        "Invalid Request: Provided nextToken is invalid: " + unknown + " for ListBulkOperations");
}

TEST_CASE("bulk operations: a token of their list fits its own pattern") {
  Bulk db;
  for (int i = 0; i < 2; ++i) {
    db.done();
    db.DynamoDb::clock().advance(1s);
  }
  CHECK_THAT(db.ok("ListBulkOperations", {{"MaxResults", 1}}).at("NextToken").get<std::string>(),
             Catch::Matches("([0-9a-f]{16})+"));
}

TEST_CASE("bulk operations: those of another account are not listed") {
  Bulk db;
  db.begin();
  const Headers other = {
      {"Authorization",
       "AWS4-HMAC-SHA256 Credential=111111111111/20261010/us-east-1/dynamodb/aws4_request, "
       "SignedHeaders=host, Signature=0"}};
  CHECK(listed(db).size() == 1);
  CHECK(db.call("ListBulkOperations", Json::object(), other).json().at("BulkOperationsSummaryList").empty());
}

TEST_CASE("bulk operations: shown for 90 days, and forgotten") {
  Bulk db;
  const Json first = db.done({{"ClientToken", "token"}});
  db.DynamoDb::clock().advance(1s);
  const Json second = db.done();
  db.DynamoDb::clock().advance(24h * 90 - 2s);
  db.jobs().run_due();
  CHECK(listed(db).size() == 2);
  db.DynamoDb::clock().advance(1s);
  CHECK(listed(db) == std::vector<std::string>{second.at("BulkOperationArn")});
  CHECK(db.call("DescribeBulkOperation", Json{{"BulkOperationArn", first.at("BulkOperationArn")}}).error() ==
        "ResourceNotFoundException");
  CHECK(db.call("CancelBulkOperation", Json{{"BulkOperationArn", first.at("BulkOperationArn")}}).error() ==
        "ResourceNotFoundException");
  const auto entries = [&](std::uint32_t space) {
    auto& kept = db.worlds().pick("").value()->store(dinette::dynamodb::face().id);
    const auto view = kept.view().value();
    auto cursor = view.scan(dinette::store::SpaceId{space}, {}, dinette::store::Direction::forward).value();
    std::size_t count = 0;
    while (cursor.next().value()) ++count;
    return count;
  };
  CHECK(entries(9) == 2);
  db.jobs().run_due();
  CHECK(entries(9) == 1);
  db.DynamoDb::clock().advance(1s);
  db.jobs().run_due();
  CHECK(entries(9) == 0);
}

}  // namespace test::bulk_requests_test
