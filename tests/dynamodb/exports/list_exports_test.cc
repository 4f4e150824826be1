#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/exports/exports.h"

// docs/service/export-import.md section 1: ListExports.
namespace test::list_exports_test {

using namespace std::chrono_literals;

namespace {

const std::string front = "arn:aws:dynamodb:us-east-1:000000000000:table/";

Json list(Exporting& db, const Json& request = Json::object()) {
  return db.ok("ListExports", request);
}

std::vector<std::string> arns(const Json& page) {
  std::vector<std::string> found;
  for (const Json& summary : page.at("ExportSummaries")) found.push_back(summary.at("ExportArn"));
  return found;
}

/// Two tables with exports, one of which is named so that it comes between.
struct Listed : Exporting {
  std::vector<std::string> expected;

  Listed() {
    std::vector<std::string> of_more;
    std::vector<std::string> of_music;
    ok("CreateTable", on_demand("Music-more"));
    recover(*this, "Music-more");
    for (int i = 0; i < 7; ++i) {
      of_music.insert(of_music.begin(), begin().at("ExportArn"));
      of_more.insert(of_more.begin(), begin({{"TableArn", front + "Music-more"}}).at("ExportArn"));
      DynamoDb::clock().advance(1s);
    }
    expected = of_music;
    expected.insert(expected.end(), of_more.begin(), of_more.end());
  }
};

}  // namespace

TEST_CASE("list exports: without exports the list is empty") {
  Exporting db;
  CHECK(list(db) == Json{{"ExportSummaries", Json::array()}});
  CHECK(list(db, {{"TableArn", music_arn}}) == Json{{"ExportSummaries", Json::array()}});
}

TEST_CASE("list exports: all of them, whatever has become of them") {
  Exporting db;
  const Json failed = db.exported({{"S3Bucket", "missing"}});
  db.DynamoDb::clock().advance(1s);
  const Json complete = db.exported({{"ExportType", "FULL_EXPORT"}});
  db.DynamoDb::clock().advance(1s);
  const Json running = db.begin(incremental(start_of_test + 5000, start_of_test + 9000));
  const auto summary = [](const Json& of, const char* status, const char* type) {
    return Json{{"ExportArn", of.at("ExportArn")}, {"ExportStatus", status}, {"ExportType", type}};
  };
  CHECK(list(db).at("ExportSummaries") == Json{summary(running, "IN_PROGRESS", "INCREMENTAL_EXPORT"),
                                               summary(complete, "COMPLETED", "FULL_EXPORT"),
                                               summary(failed, "FAILED", "FULL_EXPORT")});
}

TEST_CASE("list exports: tables by ARN, the newest first, ten per page") {
  Listed db;
  const Json first = list(db);
  CHECK(arns(first) == std::vector(db.expected.begin(), db.expected.begin() + 10));
  const Json second = list(db, {{"NextToken", first.at("NextToken")}});
  CHECK(arns(second) == std::vector(db.expected.begin() + 10, db.expected.end()));
  CHECK_FALSE(second.contains("NextToken"));
  CHECK_FALSE(list(db, {{"MaxResults", 14}}).contains("NextToken"));
  for (int limit = 1; limit <= 25; ++limit) {
    std::vector<std::string> all;
    Json request = {{"MaxResults", limit}};
    for (;;) {
      const Json page = list(db, request);
      for (const std::string& arn : arns(page)) all.push_back(arn);
      CHECK(page.at("ExportSummaries").size() <= static_cast<std::size_t>(limit));
      if (!page.contains("NextToken")) break;
      request["NextToken"] = page.at("NextToken");
    }
    CHECK(all == db.expected);
  }
}

TEST_CASE("list exports: of one table") {
  Listed db;
  CHECK(arns(list(db, {{"TableArn", music_arn}})) ==
        std::vector(db.expected.begin(), db.expected.begin() + 7));
  CHECK(arns(list(db, {{"TableArn", front + "Nowhere"}})).empty());
  const Json page = list(db, {{"TableArn", music_arn}, {"MaxResults", 3}});
  CHECK(arns(list(db, {{"MaxResults", 2}, {"NextToken", page.at("NextToken")}})) ==
        std::vector(db.expected.begin() + 3, db.expected.begin() + 5));
}

TEST_CASE("list exports: a page token of anything else is refused") {
  Exporting db;
  const std::string token = "Invalid Request: Provided nextToken is invalid: abc for ListExports";
  check_refused(db, "ListExports", {{"NextToken", "abc"}}, token);
  for (int i = 0; i < 2; ++i) {
    const std::string name = "New" + std::to_string(i);
    db.ok("ImportTable", {{"ClientToken", name},
                          {"InputFormat", "CSV"},
                          {"S3BucketSource", {{"S3Bucket", "exports"}}},
                          {"TableCreationParameters", on_demand(name)}});
  }
  const std::string of_imports = db.ok("ListImports", {{"PageSize", 1}}).at("NextToken");
  check_refused(db, "ListExports", {{"NextToken", of_imports}},
                "Invalid Request: Provided nextToken is invalid: " + of_imports + " for ListExports");
  for (const int bad : {0, 26})
    CHECK(db.call("ListExports", Json{{"MaxResults", bad}}).error() == "ValidationException");
  check_refused(db, "ListExports", {{"TableArn", "Music"}}, invalid("tableArn is not a valid ARN"));
  check_refused(db, "ListExports", {{"TableArn", "arn:aws:dynamodb:us-east-1:111111111111:table/Music"}},
                "Access is denied", "AccessDeniedException");
}

TEST_CASE("list exports: exports outlive their table, which does not list them any more") {
  Exporting db(on_demand(), two_second_states());
  db.DynamoDb::clock().advance(3s);
  const Json made = db.exported();
  const Json table = {{"TableArn", music_arn}};
  db.ok("DeleteTable", {{"TableName", "Music"}});
  CHECK(arns(list(db, table)).size() == 1);  // while it is DELETING
  db.DynamoDb::clock().advance(3s);
  db.jobs().run_due();
  CHECK(arns(list(db, table)).empty());
  CHECK(arns(list(db)).size() == 1);
  const Json described = db.description(made);
  CHECK(described.at("TableArn") == music_arn);
  CHECK(described.at("TableId") == made.at("TableId"));
  db.ok("CreateTable", on_demand());
  CHECK(arns(list(db, table)).empty());
}

TEST_CASE("list exports: for 90 days") {
  Exporting db;
  const Json made = db.exported();
  db.DynamoDb::clock().advance(1s);
  const Json later = db.exported();
  db.DynamoDb::clock().advance(std::chrono::days(90) - 1001ms);
  db.jobs().run_due();
  CHECK(arns(list(db)).size() == 2);
  db.DynamoDb::clock().advance(1ms);
  CHECK(arns(list(db)) == std::vector<std::string>{later.at("ExportArn")});
  const auto is_gone = [&](const Json& description) {
    const Json request = {{"ExportArn", description.at("ExportArn")}};
    return db.call("DescribeExport", request).error() == "ExportNotFoundException";
  };
  CHECK(is_gone(made));
  db.jobs().run_due();
  db.DynamoDb::clock().advance(1s);
  CHECK(arns(list(db)).empty());
  db.jobs().run_due();
  db.DynamoDb::clock().set(db.DynamoDb::clock().now() - std::chrono::days(1));
  CHECK((is_gone(made) && is_gone(later)));  // for good
}

}  // namespace test::list_exports_test
