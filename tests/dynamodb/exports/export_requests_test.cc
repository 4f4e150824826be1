#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/exports/exports.h"

// docs/service/export-import.md section 1: what ExportTableToPointInTime and DescribeExport take and answer.
namespace test::export_requests_test {

using namespace std::chrono_literals;

namespace {

const std::string operation = "ExportTableToPointInTime";

void refused(Exporting& db, const Json& changes, const std::string& message,
             std::string_view error = "ValidationException") {
  const std::size_t before = db.ok("ListExports", Json::object()).at("ExportSummaries").size();
  check_refused(db, operation, export_request(changes), message, error);
  CHECK(db.ok("ListExports", Json::object()).at("ExportSummaries").size() == before);
}

/// Where the docs know the member alone.
void refused_naming(Exporting& db, const Json& changes, const std::string& member) {
  const Reply reply = db.call(operation, export_request(changes));
  CHECK(reply.error() == "ValidationException");
  INFO(reply.body);
  CHECK(reply.message().find("'" + member + "'") != std::string::npos);
}

std::string value_error(const std::string& value, const std::string& member, const std::string& rule) {
  return enveloped("Value '" + value + "' at '" + member + "' failed to satisfy constraint: " + rule);
}

}  // namespace

TEST_CASE("export: the answer shows what was asked, and what was filled in") {
  Exporting db;
  const Json answer = db.begin();
  const std::string arn = answer.at("ExportArn");
  CHECK(arn.starts_with(music_arn + "/export/01791643600000-"));
  CHECK(arn.size() == music_arn.size() + 8 + 23);
  CHECK(answer.at("ExportStatus") == "IN_PROGRESS");
  CHECK(answer.at("StartTime") == start_of_test + 10'000);
  CHECK(answer.at("ExportTime") == start_of_test + 10'000);
  CHECK(answer.at("TableArn") == music_arn);
  CHECK(answer.at("TableId") == describe(db).at("TableId"));
  CHECK(answer.at("S3Bucket") == "exports");
  CHECK(answer.at("S3SseAlgorithm") == "AES256");
  CHECK(answer.at("ExportFormat") == "DYNAMODB_JSON");
  CHECK(answer.at("DestinationType") == "S3");
  CHECK(answer.at("ClientToken").get<std::string>().size() == 36);
  CHECK(answer.size() == 11);
  CHECK(db.description(answer) == answer);
  db.jobs().run_due();
  const Json ended = db.description(answer);
  CHECK(ended.size() == 15);
  CHECK_FALSE(ended.contains("ExportType"));
}

TEST_CASE("export: at the end there are counts and the manifest, and nothing changes any more") {
  Exporting db;
  put_number(db, "a", 1);
  const Json begun = db.begin({{"S3Prefix", "p"}, {"ExportType", "FULL_EXPORT"}});
  CHECK(begun.at("ExportType") == "FULL_EXPORT");
  db.DynamoDb::clock().advance(3s);
  db.jobs().run_due();
  Json expected = begun;
  const std::string arn = begun.at("ExportArn");
  expected.update(
      {{"ExportStatus", "COMPLETED"},
       {"EndTime", start_of_test + 10'003},
       {"ItemCount", 1},
       {"BilledSizeBytes", 0},
       {"ExportManifest", "p/AWSDynamoDB/" + arn.substr(arn.rfind('/') + 1) + "/manifest-summary.json"}});
  CHECK(db.description(begun) == expected);
  put_number(db, "b", 1);
  db.DynamoDb::clock().advance(std::chrono::days(89));
  db.jobs().run_due();
  CHECK(db.description(begun) == expected);
}

TEST_CASE("export: is IN_PROGRESS for as long as states last") {
  Exporting db(on_demand(), two_second_states());
  const Json begun = db.begin();
  db.jobs().run_due();
  CHECK(db.description(begun).at("ExportStatus") == "IN_PROGRESS");
  db.DynamoDb::clock().advance(1999ms);
  db.jobs().run_due();
  CHECK(db.description(begun).at("ExportStatus") == "IN_PROGRESS");
  db.DynamoDb::clock().advance(1ms);
  db.jobs().run_due();
  CHECK(db.description(begun).at("ExportStatus") == "COMPLETED");
}

TEST_CASE("export: members of S3 are echoed as sent") {
  Exporting db;
  const Json answer = db.exported({{"S3BucketOwner", "000000000000"},
                                   {"S3Prefix", "foo/"},
                                   {"S3SseAlgorithm", "KMS"},
                                   {"S3SseKmsKeyId", "alias/mine"},
                                   {"ClientToken", "t"}});
  CHECK(answer.at("S3BucketOwner") == "000000000000");
  CHECK(answer.at("S3Prefix") == "foo/");
  CHECK(answer.at("S3SseAlgorithm") == "KMS");
  CHECK(answer.at("S3SseKmsKeyId") == "alias/mine");
  CHECK(answer.at("ClientToken") == "t");
  CHECK(answer.at("ExportManifest").get<std::string>().starts_with("foo/AWSDynamoDB/"));
  CHECK_FALSE(db.begin({{"S3SseAlgorithm", "KMS"}}).contains("S3SseKmsKeyId"));
}

TEST_CASE("export: tables that are unknown or without recovery are refused") {
  Exporting db;
  db.create_table("Other");
  const std::string front = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  refused(db, {{"TableArn", front + "Other"}, {"S3Bucket", "missing"}},
          "Point in time recovery is not enabled for table 'Other'",
          "PointInTimeRecoveryUnavailableException");
  refused(db, {{"TableArn", front + "Nowhere"}}, "Table not found: " + front + "Nowhere",
          "TableNotFoundException");
  const std::string abroad = "arn:aws:dynamodb:eu-west-1:000000000000:table/Music";
  refused(db, {{"TableArn", abroad}}, "Table not found: " + abroad, "TableNotFoundException");
  refused(db, {{"TableArn", "Music"}}, invalid("tableArn is not a valid ARN"));
  refused(db, {{"TableArn", music_arn + "/index/i"}}, "Invalid Request: Table ARN is invalid.");
  refused(db, {{"TableArn", "arn:aws:dynamodb:us-east-1:111111111111:table/Music"}}, "Access is denied",
          "AccessDeniedException");
  refused_naming(db, {{"TableArn", nullptr}}, "tableArn");
  refused_naming(db, {{"TableArn", ""}}, "tableArn");
  refused_naming(db, {{"S3Bucket", nullptr}}, "s3Bucket");
  for (const char* const bad : {"\t", "arn:aws:s3:us-east-1:000000000000:table/Music"})
    refused(db, {{"TableArn", bad}}, invalid("tableArn is not a valid ARN"));
}

TEST_CASE("export: members are as the model wants them") {
  Exporting db;
  for (const char* const member : {"ClientToken", "S3Prefix", "S3BucketOwner"}) {
    std::string path = member;
    path[0] = static_cast<char>(std::tolower(path[0]));
    refused_naming(db, {{member, ""}}, path);
  }
  refused_naming(db, {{"S3SseKmsKeyId", ""}, {"S3SseAlgorithm", "KMS"}}, "s3SseKmsKeyId");
  refused(db, {{"ClientToken", "a$"}},
          value_error("a$", "clientToken", "Member must satisfy regular expression pattern: ^[^\\$]+$"));
  const std::string bucket =
      "Member must satisfy regular expression pattern: "
      "^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$";
  refused_naming(db, {{"S3Bucket", std::string(256, 'b')}}, "s3Bucket");
  for (const char* const bad : {"a", "-ab", "ab.", "a/b", "a b"})
    refused(db, {{"S3Bucket", bad}}, value_error(bad, "s3Bucket", bucket));
  refused(db, {{"S3BucketOwner", "12345678901"}},
          value_error("12345678901", "s3BucketOwner",
                      "Member must satisfy regular expression pattern: [0-9]{12}"));
  for (const auto& [member, path] :
       {std::pair("ExportFormat", "exportFormat"), std::pair("ExportType", "exportType"),
        std::pair("S3SseAlgorithm", "s3SseAlgorithm")}) {
    refused_naming(db, {{member, "bad"}}, path);
    refused_naming(db, {{member, ""}}, path);
  }
  refused_naming(db, incremental(1, 2, "NEW_IMAGES"), "incrementalExportSpecification.exportViewType");
  db.begin({{"Unknown", 1}});
}

TEST_CASE("export: encryption keys go with KMS") {
  Exporting db;
  const std::string message = "Invalid Request: KMS Key Id is not supported for this encryption type";
  refused(db, {{"S3SseKmsKeyId", "alias/mine"}}, message);
  refused(db, {{"S3SseKmsKeyId", "alias/mine"}, {"S3SseAlgorithm", "AES256"}}, message);
  const Reply reply =
      db.call(operation, export_request({{"S3SseKmsKeyId", "not a key"}, {"S3SseAlgorithm", "KMS"}}));
  CHECK(reply.refusal().starts_with(
      "Invalid Request: 1 validation error detected: Value 'not a key' at 's3SseKmsKeyId' failed to satisfy "
      "constraint: Member must satisfy regular"));
}

TEST_CASE("export: the time lies in the window of recovery") {
  Exporting db;
  const std::string error = "InvalidExportTimeException";
  for (const double bad : {start_of_test + 10'001, start_of_test - 1, -1.0})
    refused(db, {{"ExportTime", bad}}, "Export Time is invalid", error);
  for (const double late : {start_of_test + 9'701, start_of_test + 10'000}) {
    refused(db, {{"ExportTime", late}}, "Point in Time Recovery is not available for specified export time",
            error);
  }
  CHECK(db.begin({{"ExportTime", start_of_test + 9'700}}).at("ExportTime") == start_of_test + 9'700);
  CHECK(db.begin({{"ExportTime", start_of_test + 2}}).at("StartTime") == start_of_test + 10'000);
}

TEST_CASE("export: the type and the specification of changes go together") {
  Exporting db;
  const Json window = incremental(start_of_test + 5000, start_of_test + 9000);
  refused(db, with(window, {{"ExportType", nullptr}}),
          "Invalid Request: Export Type expected to be Incremental Export when incremental export "
          "specification is provided");
  refused(db, with(window, {{"ExportType", "FULL_EXPORT"}}),
          "Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be "
          "provided");
  refused(db, with(window, {{"IncrementalExportSpecification", nullptr}}),
          "Invalid Request: Incremental Export Specification expected when export type is set as Incremental "
          "Export");
  refused(db, {{"ExportType", "INCREMENTAL_EXPORT"}, {"IncrementalExportSpecification", Json::object()}},
          "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification");
}

TEST_CASE("export: the window of changes") {
  Exporting db;
  const std::string error = "InvalidExportTimeException";
  const auto window = [](double from, double to) {
    return incremental(start_of_test + from, start_of_test + to);
  };
  const std::string early =
      "Incremental export period from time cannot be less than the table creation time : "
      "2026-10-10T11:59:59Z";
  refused(db, window(-1, 20'000), early, error);
  refused(db, window(5000, 10'001),
          "Incremental export period to time cannot be greater than the current time : "
          "2026-10-10T14:46:41Z",
          error);
  const std::string brief =
      "Difference between export period from time and export period to time is less than 15 minutes";
  refused(db, window(5000, 5899), brief, error);
  refused(db, window(9000, 5000), brief, error);
  refused(db, window(5000, 9701), "Point in Time Recovery is not available for specified export time", error);
  refused(db, window(0, 5000), "Point in Time Recovery is not available for specified export time", error);
  db.begin(window(5000, 5900));
  db.DynamoDb::clock().advance(24h + 1h);
  refused(db, window(3000, 3000 + 24 * 3600 + 1),
          "Difference between export period from time and export period to time is greater than 24 hours",
          error);
  db.begin(window(3000, 3000 + 24 * 3600));
  db.ok("UpdateContinuousBackups", recovery(false));
  refused(db, window(-1, 5000), early, error);
  refused(db, window(5000, 5001), "Point in time recovery is not enabled for table 'Music'",
          "PointInTimeRecoveryUnavailableException");
}

TEST_CASE("export: what the window leaves open is filled in") {
  Exporting db;
  Json request = incremental(start_of_test + 5000, 0);
  request["IncrementalExportSpecification"].erase("ExportToTime");
  const Json answer = db.begin(request);
  CHECK(answer.at("IncrementalExportSpecification") == Json{{"ExportFromTime", start_of_test + 5000},
                                                            {"ExportToTime", start_of_test + 9700},
                                                            {"ExportViewType", "NEW_AND_OLD_IMAGES"}});
  CHECK_FALSE(answer.contains("ExportTime"));
  CHECK(answer.at("ExportType") == "INCREMENTAL_EXPORT");
  request["IncrementalExportSpecification"]["ExportFromTime"] = start_of_test + 9700 - 899;
  refused(db, request,
          "Difference between export period from time and export period to time is less than 15 minutes",
          "InvalidExportTimeException");
}

TEST_CASE("export: a token identifies one export, for eight hours") {
  Exporting db;
  const Json token = {{"ClientToken", "t"}};
  refused(db, with(token, {{"ExportTime", -1}}), "Export Time is invalid", "InvalidExportTimeException");
  const Json first = db.begin(token);
  CHECK(db.begin(token) == first);
  db.jobs().run_due();
  CHECK(db.begin(token) == db.description(first));
  CHECK(db.description(first).at("ExportStatus") == "COMPLETED");
  CHECK(db.begin().at("ExportArn") != db.begin().at("ExportArn"));
  const std::string message = "Export conflict: Duplicate request detected with conflicting parameters";
  const double from = start_of_test + 5000;
  for (const Json& change :
       {Json{{"S3Bucket", "other"}}, Json{{"S3BucketOwner", "000000000000"}}, Json{{"S3Prefix", "p"}},
        Json{{"S3SseAlgorithm", "AES256"}}, Json{{"ExportFormat", "ION"}}, Json{{"ExportTime", from}},
        Json{{"ExportType", "FULL_EXPORT"}}, Json{{"FilterSpecification", {{"FilterExpression", "n = n2"}}}},
        incremental(from, from + 1000)}) {
    INFO(change.dump());
    refused(db, with(token, change), message, "ExportConflictException");
  }
  db.create_table("Other");
  refused(db, with(token, {{"TableArn", "arn:aws:dynamodb:us-east-1:000000000000:table/Other"}}), message,
          "ExportConflictException");
  db.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(db.begin(token) == db.description(first));
  db.ok("CreateTable", on_demand());
  recover(db);
  db.DynamoDb::clock().advance(8h - 1ms);
  CHECK(db.begin(token) == db.description(first));
  db.DynamoDb::clock().advance(1ms);
  CHECK(db.begin(token).at("ExportArn") != first.at("ExportArn"));
}

TEST_CASE("export: a token also identifies a failed export, and no import") {
  Exporting db;
  const Json request = {{"ClientToken", "t"}, {"S3Bucket", "missing"}};
  const Json failed = db.exported(request);
  CHECK(failed.at("ExportStatus") == "FAILED");
  CHECK(db.begin(request) == failed);
  db.ok("ImportTable", {{"ClientToken", "t"},
                        {"InputFormat", "CSV"},
                        {"S3BucketSource", {{"S3Bucket", "exports"}}},
                        {"TableCreationParameters", on_demand("New")}});
}

TEST_CASE("export: each member of a window counts for its token") {
  Exporting db;
  const double from = start_of_test + 5000;
  const Json token = {{"ClientToken", "t"}};
  db.begin(with(incremental(from, from + 1000, "NEW_IMAGE"), token));
  for (const Json& other :
       {incremental(from + 1, from + 1000, "NEW_IMAGE"), incremental(from, from + 1001, "NEW_IMAGE"),
        incremental(from, from + 1000, "NEW_AND_OLD_IMAGES"), incremental(from, from + 1000)}) {
    refused(db, with(other, token), "Export conflict: Duplicate request detected with conflicting parameters",
            "ExportConflictException");
  }
}

TEST_CASE("export: each member of a filter counts for its token, and the key of encryption") {
  Exporting db;
  const auto filtered = [](const char* key, const char* filter, const char* projection, const char* name,
                           const char* number) {
    return Json{{"FilterSpecification",
                 {{"KeyConditionExpression", key},
                  {"FilterExpression", filter},
                  {"ProjectionExpression", projection},
                  {"ExpressionAttributeNames", {{"#n", name}}},
                  {"ExpressionAttributeValues", {{":p", {{"S", "a"}}}, {":n", {{"N", number}}}}}}}};
  };
  const auto encrypted = [](const char* key) {
    return Json{{"S3SseAlgorithm", "KMS"}, {"S3SseKmsKeyId", key}};
  };
  const Json token = {{"ClientToken", "t"}};
  const Json of_key = {{"ClientToken", "k"}};
  db.begin(with(filtered("pk = :p", "#n = :n", "pk", "n", "1"), token));
  db.begin(with(encrypted("alias/a"), of_key));
  for (const Json& other :
       {with(filtered("pk=:p", "#n = :n", "pk", "n", "1"), token),
        with(filtered("pk = :p", "#n=:n", "pk", "n", "1"), token),
        with(filtered("pk = :p", "#n = :n", "n", "n", "1"), token),
        with(filtered("pk = :p", "#n = :n", "pk", "m", "1"), token),
        with(filtered("pk = :p", "#n = :n", "pk", "n", "2"), token), with(encrypted("alias/b"), of_key)}) {
    refused(db, other, "Export conflict: Duplicate request detected with conflicting parameters",
            "ExportConflictException");
  }
}

TEST_CASE("export: changes since the second in which the table was created") {
  const Buckets buckets;
  DynamoDb db(buckets.options());
  set_clock(db, start_of_test + 0.5);
  db.ok("CreateTable", on_demand());
  recover(db);
  set_clock(db, start_of_test + 1300);
  db.ok(operation, export_request(incremental(start_of_test, start_of_test + 900)));
}

TEST_CASE("export: there are 300 at once", "[volume]") {
  Exporting db;
  Json last;
  for (int i = 0; i < 300; ++i) last = db.begin({{"ClientToken", "t" + std::to_string(i)}});
  const Reply reply = db.call(operation, export_request());
  CHECK(reply.error() == "LimitExceededException");
  CHECK(db.begin({{"ClientToken", "t299"}}) == last);
  db.jobs().run_due();
  db.begin();
}

TEST_CASE("describe export: ARNs") {
  Exporting db;
  const std::string arn = db.begin().at("ExportArn");
  const auto refused_arn = [&](const std::string& text, const std::string& message,
                               std::string_view error = "ValidationException") {
    INFO(text);
    check_refused(db, "DescribeExport", {{"ExportArn", text}}, message, error);
  };
  refused_arn(std::string(40, 'x'), "Invalid Export ARN");
  refused_arn(music_arn, "Invalid Export ARN");
  refused_arn(music_arn + "/import/01791643600000-01234567", "Invalid Export ARN");
  refused_arn(music_arn + "/export/1791643600000-01234567", "Invalid Export ARN");
  refused_arn("arn:other:dynamodb:us-east-1:000000000000:table/Music/export/01791643600000-01234567",
              "Invalid Export ARN");
  const std::string account = "arn:x:y:z:111111111111:table/Music/export/1";
  refused_arn(account, "Access is denied", "AccessDeniedException");
  refused_arn("arn:aws:dynamodb:us-east-1:111111111111:table/Music", "Access is denied",
              "AccessDeniedException");
  const std::string unknown = music_arn + "/export/01791643600000-00000000";
  refused_arn(unknown, "Export not found: Export not found: " + unknown, "ExportNotFoundException");
  refused_arn("arn:aws:dynamodb:eu-west-1:000000000000:table/Music/export/01791643600000-00000000",
              "Export not found: Invalid export arn", "ExportNotFoundException");
  CHECK(db.ok("DescribeExport", {{"ExportArn", arn}}).at("ExportDescription").at("ExportArn") == arn);
}

TEST_CASE("export: it fails if its bucket is missing or belongs to another account") {
  Exporting db;
  const Json missing = db.exported({{"S3Bucket", "missing"}});
  CHECK(missing.at("ExportStatus") == "FAILED");
  CHECK(missing.at("FailureCode") == "S3NoSuchBucket");
  CHECK(missing.at("EndTime") == start_of_test + 10'000);
  const std::string message = missing.at("FailureMessage");
  CHECK(
      message.starts_with("The specified bucket does not exist (Service: Amazon S3; Status Code: 404; "
                          "Error Code: NoSuchBucket; Request ID: "));
  CHECK(message.find("; S3 Extended Request ID: ") != std::string::npos);
  CHECK(message.ends_with("; Proxy: null)"));
  for (const char* const absent : {"ItemCount", "BilledSizeBytes", "ExportManifest"})
    CHECK_FALSE(missing.contains(absent));
  CHECK(db.description(missing) == missing);
  CHECK(db.exported({{"S3Bucket", "UPPER"}}).at("ExportStatus") == "FAILED");

  const Json owner = db.exported({{"S3BucketOwner", "111111111111"}});
  CHECK(owner.at("FailureCode") == "S3AccessDenied");
  CHECK(owner.at("FailureMessage")
            .get<std::string>()
            .starts_with("Access Denied (Service: Amazon S3; Status Code: 403; Error Code: AccessDenied; "));
  CHECK(db.keys().empty());

  DynamoDb without;
  without.ok("CreateTable", on_demand());
  recover(without);
  const Json begun = without.ok(operation, export_request()).at("ExportDescription");
  without.jobs().run_due();
  CHECK(without.ok("DescribeExport", {{"ExportArn", begun.at("ExportArn")}})
            .at("ExportDescription")
            .at("FailureCode") == "S3NoSuchBucket");
}

}  // namespace test::export_requests_test
