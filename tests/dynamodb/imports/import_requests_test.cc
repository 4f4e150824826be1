#include <chrono>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/imports/imports.h"

// Requests about imports and their answers (docs/service/export-import.md section 2).
namespace test::import_requests_test {

using namespace std::chrono_literals;

namespace {

const std::string table_arn = "arn:aws:dynamodb:us-east-1:000000000000:table/New";
const std::string unknown_import = table_arn + "/import/01791633600000-0123abcd";

Reply begin(DynamoDb& db, const Json& members) {
  Json request = import_request();
  request.merge_patch(members);
  return db.call("ImportTable", request);
}

void check_refused(const Json& members, const std::string& sentence) {
  Importer importer;
  const Reply reply = begin(importer.db, members);
  CHECK(reply.refusal() == sentence);
  CHECK(importer.db.ok("ListImports", Json::object()).at("ImportSummaryList").empty());
}

void check_names(const Json& members, const std::string& member) {
  Importer importer;
  const Reply reply = begin(importer.db, members);
  CHECK(reply.error() == "ValidationException");
  CHECK_THAT(reply.message(), Catch::Contains("'" + member + "' failed to satisfy constraint"));
}

Json in_table(const Json& members) {
  return {{"TableCreationParameters", members}};
}

Json in_source(const Json& members) {
  return {{"S3BucketSource", members}};
}

/// All pages of ListImports.
Json listed(DynamoDb& db, Json request = Json::object()) {
  Json all = Json::array();
  for (;;) {
    const Json page = db.ok("ListImports", request);
    for (const Json& one : page.at("ImportSummaryList")) all.push_back(one);
    if (!page.contains("NextToken")) return all;
    request["NextToken"] = page.at("NextToken");
  }
}

}  // namespace

TEST_CASE("imports: what the answer and descriptions say") {
  Importer importer;
  importer.put("a", line("a", 1));
  const Json source = {{"S3BucketSource", {{"S3KeyPrefix", "a"}}}};
  const Json begun = importer.begin(source);
  const Json parameters = import_request().at("TableCreationParameters");
  const Json expected = {
      {"ImportArn", begun.at("ImportArn")},
      {"ImportStatus", "IN_PROGRESS"},
      {"TableArn", table_arn},
      {"TableId", begun.at("TableId")},
      {"ClientToken", "token"},
      {"S3BucketSource", {{"S3Bucket", "source"}, {"S3KeyPrefix", "a"}, {"S3BucketOwner", "000000000000"}}},
      {"ErrorCount", 0},
      {"CloudWatchLogGroupArn", "arn:aws:logs:us-east-1:000000000000:log-group:/aws-dynamodb/imports:*"},
      {"InputFormat", "DYNAMODB_JSON"},
      {"InputCompressionType", "NONE"},
      {"TableCreationParameters", parameters},
      {"StartTime", 1791633600},
      {"ProcessedItemCount", 0},
      {"ImportedItemCount", 0}};
  CHECK(begun == expected);
  CHECK_THAT(begun.at("ImportArn").get<std::string>(),
             Catch::Matches(table_arn + "/import/01791633600000-[0-9a-f]{8}"));
  CHECK(
      importer.db.ok("DescribeImport", {{"ImportArn", begun.at("ImportArn")}}).at("ImportTableDescription") ==
      begun);
  Json ended = expected;
  ended.merge_patch({{"ImportStatus", "COMPLETED"},
                     {"EndTime", 1791633600},
                     {"ProcessedItemCount", 1},
                     {"ImportedItemCount", 1},
                     {"ProcessedSizeBytes", line("a", 1).size()}});
  CHECK(importer.described(begun) == ended);
  importer.db.ok("DeleteTable", {{"TableName", "New"}});
  CHECK(importer.described(begun) == ended);
}

TEST_CASE("imports: requests that the model does not allow") {
  check_names({{"ClientToken", nullptr}}, "clientToken");
  check_names({{"ClientToken", ""}}, "clientToken");
  check_names({{"ClientToken", "a$"}}, "clientToken");
  check_names({{"InputFormat", "XML"}}, "inputFormat");
  check_names({{"InputCompressionType", "LZ4"}}, "inputCompressionType");
  check_names(in_source({{"S3Bucket", std::string(256, 'b')}}), "s3BucketSource.s3Bucket");
  check_names(in_source({{"S3Bucket", "a b"}}), "s3BucketSource.s3Bucket");
  check_names(in_source({{"S3KeyPrefix", std::string(1025, 'k')}}), "s3BucketSource.s3KeyPrefix");
  check_names(in_table({{"TableName", "a b"}}), "tableCreationParameters.tableName");
  for (const char* const delimiter : {"x", ",,", ""}) {
    check_names({{"InputFormat", "CSV"}, {"InputFormatOptions", {{"Csv", {{"Delimiter", delimiter}}}}}},
                "inputFormatOptions.csv.delimiter");
  }
  Importer importer;
  CHECK_THAT(begin(importer.db, {{"InputCompressionType", "LZ4"}}).message(),
             Catch::Contains("Member must satisfy enum value set: [ZSTD, NONE, GZIP]"));
}

TEST_CASE("imports: options of another format") {
  check_refused({{"InputFormatOptions", {{"Csv", {{"Delimiter", ";"}}}}}},
                "Invalid Request: Unsupported InputFormatOptions for the given input format: DYNAMODB_JSON.");
}

TEST_CASE("imports: options are shown if they were sent") {
  Importer importer;
  const Json options = {{"Csv", {{"Delimiter", ";"}, {"HeaderList", {"pk", "n"}}}}};
  const Json begun = importer.begin({{"InputFormat", "CSV"}, {"InputFormatOptions", options}});
  CHECK(begun.at("InputFormatOptions") == options);
  CHECK(importer.described(begun).at("InputFormatOptions") == options);
}

TEST_CASE("imports: tables that CreateTable would refuse") {
  check_refused(in_table({{"BillingMode", nullptr}}),
                invalid("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
                        "PROVISIONED"));
  check_refused(in_table({{"BillingMode", "PROVISIONED"},
                          {"ProvisionedThroughput", units(1, 1)},
                          {"OnDemandThroughput", {{"MaxWriteRequestUnits", 5}}}}),
                invalid("MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table "
                        "BillingMode is PROVISIONED."));
}

TEST_CASE("imports: vector indexes are checked as CreateTable checks them") {
  check_refused(in_table({{"VectorIndexes", Json::array()}}), invalid("List of VectorIndexes is empty"));
}

TEST_CASE("imports: the name of a table that is there") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = 2s;
  Importer importer(options);
  Json table = on_demand();
  table["TableName"] = "New";
  importer.db.ok("CreateTable", table);
  const auto check = [&] {
    const Reply reply = begin(importer.db, Json::object());
    CHECK(reply.error() == "ResourceInUseException");
    CHECK(reply.message() == "Table already exists: New");
  };
  check();
  importer.db.clock().advance(2s);
  check();
  importer.db.ok("DeleteTable", {{"TableName", "New"}});
  check();
  importer.db.clock().advance(2s);
  const Json begun = importer.begin();
  importer.db.clock().advance(2s);
  CHECK(importer.described(begun).at("ImportStatus") == "COMPLETED");
}

TEST_CASE("imports: a token begins one import") {
  Importer importer;
  const Json first = importer.begin();
  CHECK(importer.begin() == first);
  CHECK(importer.begin({{"InputFormat", "CSV"}, {"S3BucketSource", {{"S3Bucket", "other"}}}}) == first);
  const Reply other = begin(importer.db, in_table({{"TableName", "Other"}}));
  CHECK(other.error() == "ImportConflictException");
  CHECK(other.message() == "Import conflict: Duplicate request detected with conflicting parameters");
  const Json ended = importer.described(first);
  CHECK(begin(importer.db, Json::object()).error() == "ResourceInUseException");
  importer.db.ok("DeleteTable", {{"TableName", "New"}});
  importer.db.jobs().run_due();
  CHECK(importer.begin() == ended);
  CHECK(importer.db.call("DescribeTable", R"({"TableName": "New"})").error() == "ResourceNotFoundException");
  importer.db.clock().advance(8h - 1ms);
  CHECK(importer.begin() == ended);
  importer.db.clock().advance(1ms);
  CHECK(importer.begin().at("ImportArn") != first.at("ImportArn"));
  CHECK(listed(importer.db).size() == 2);
}

TEST_CASE("imports: a call that fails does not use up its token") {
  Importer importer;
  CHECK(begin(importer.db, in_table({{"BillingMode", nullptr}})).status == 400);
  CHECK(importer.begin({{"ClientToken", "token"}}).at("ImportStatus") == "IN_PROGRESS");
}

TEST_CASE("imports: at most 50 at a time") {
  Importer importer;
  const auto begin_one = [&](int number) {
    const std::string text = std::to_string(number);
    return begin(importer.db,
                 {{"ClientToken", text}, {"TableCreationParameters", {{"TableName", "New" + text}}}});
  };
  for (int i = 0; i < 50; ++i) CHECK(begin_one(i).status == 200);
  CHECK(begin_one(50).error() == "LimitExceededException");
  importer.db.jobs().run_due();
  CHECK(begin_one(50).status == 200);
}

TEST_CASE("imports: unknown, invalid and foreign ARNs have an error each") {
  Importer importer;
  const auto describe_import = [&](const std::string& arn) {
    return importer.db.call("DescribeImport", Json{{"ImportArn", arn}});
  };
  CHECK(describe_import(unknown_import).error() == "ImportNotFoundException");
  std::string elsewhere = unknown_import;
  elsewhere.replace(elsewhere.find("us-east-1"), 9, "eu-west-1");
  CHECK(describe_import(elsewhere).error() == "ImportNotFoundException");
  std::string export_arn = unknown_import;
  export_arn.replace(export_arn.find("/import/"), 8, "/export/");
  std::string short_name = unknown_import;
  short_name.replace(short_name.find("/New/"), 5, "/Ne/");
  const std::string short_id = table_arn + "/import/1791633600000-0123abcd";
  for (const std::string& arn : {table_arn, export_arn, short_name, short_id, std::string(40, 'x')})
    CHECK(describe_import(arn).refusal() == "Invalid Import ARN");
  std::string foreign = table_arn;
  foreign.replace(foreign.find("000000000000"), 12, "111111111111");
  CHECK(describe_import(foreign).error() == "AccessDeniedException");
  CHECK(describe_import(foreign).message() == "Access is denied");
}

TEST_CASE("imports: listed, the newest first, in pages") {
  Importer importer;
  std::vector<std::string> arns;
  for (int i = 0; i < 23; ++i) {
    const std::string number = std::to_string(i);
    const Json import =
        importer.begin({{"ClientToken", number},
                        {"TableCreationParameters", {{"TableName", "New" + number}}},
                        {"S3BucketSource", {{"S3Bucket", i % 2 == 0 ? "source" : "nobodys"}}}});
    arns.insert(arns.begin(), import.at("ImportArn"));
    importer.db.clock().advance(1s);
  }
  importer.db.jobs().run_due();
  const Json page = importer.db.ok("ListImports", Json::object());
  CHECK(page.at("ImportSummaryList").size() == 10);
  CHECK(page.contains("NextToken"));
  const Json all = listed(importer.db, {{"PageSize", 7}});
  REQUIRE(all.size() == arns.size());
  for (std::size_t i = 0; i < arns.size(); ++i) CHECK(all[i].at("ImportArn") == arns[i]);
  std::set<std::string> members;
  for (const auto& [name, value] : all[0].items()) members.insert(name);
  CHECK(members == std::set<std::string>{"ImportArn", "ImportStatus", "TableArn", "S3BucketSource",
                                         "CloudWatchLogGroupArn", "InputFormat", "StartTime", "EndTime"});
  CHECK(all[0].at("ImportStatus") == "COMPLETED");
  CHECK(all[1].at("ImportStatus") == "FAILED");

  importer.db.ok("DeleteTable", {{"TableName", "New4"}});
  const Json of_one = listed(importer.db, {{"TableArn", table_arn + "4"}});
  REQUIRE(of_one.size() == 1);
  CHECK(of_one[0].at("TableArn") == table_arn + "4");

  const auto refused = [&](const Json& request) {
    return importer.db.call("ListImports", request).error() == "ValidationException";
  };
  CHECK(refused({{"PageSize", 26}}));
  CHECK(refused({{"PageSize", 0}}));
  CHECK(refused({{"NextToken", "x"}}));
  CHECK(refused({{"NextToken", std::string(112, '0')}}));
  std::string of_another_list = page.at("NextToken");
  of_another_list[0] = '5';  // of "ListImports", in hexadecimal digits
  CHECK(refused({{"NextToken", of_another_list}}));

  importer.db.clock().advance(24h * 90 - 23s);
  CHECK(listed(importer.db).size() == 22);
}

TEST_CASE("imports: a running one is listed, without an end") {
  Importer importer;
  const Json begun = importer.begin();
  CHECK(listed(importer.db) ==
        Json::array({{{"ImportArn", begun.at("ImportArn")},
                      {"ImportStatus", "IN_PROGRESS"},
                      {"TableArn", table_arn},
                      {"S3BucketSource", {{"S3Bucket", "source"}, {"S3BucketOwner", "000000000000"}}},
                      {"CloudWatchLogGroupArn", begun.at("CloudWatchLogGroupArn")},
                      {"InputFormat", "DYNAMODB_JSON"},
                      {"StartTime", 1791633600}}}));
}

TEST_CASE("imports: described for 90 days") {
  Importer importer;
  const Json request = {{"ImportArn", importer.imported().at("ImportArn")}};
  importer.db.clock().advance(24h * 90 - 1ms);
  CHECK(importer.db.call("DescribeImport", request).status == 200);
  CHECK(listed(importer.db).size() == 1);
  importer.db.clock().advance(1ms);
  CHECK(importer.db.call("DescribeImport", request).error() == "ImportNotFoundException");
  CHECK(listed(importer.db).empty());
}

TEST_CASE("imports: those of another account are not listed") {
  Importer importer;
  importer.begin();
  const Headers other = {
      {"Authorization",
       "AWS4-HMAC-SHA256 Credential=111111111111/20261010/us-east-1/dynamodb/aws4_request, "
       "SignedHeaders=host, Signature=0"}};
  CHECK(listed(importer.db).size() == 1);
  CHECK(importer.db.call("ListImports", Json::object(), other).json().at("ImportSummaryList").empty());
}

}  // namespace test::import_requests_test
