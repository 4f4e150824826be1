#include <chrono>
#include <memory>
#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <zstd.h>

#include "dinette/base/compression.h"

#include "dynamodb/bulk/bulk.h"
#include "dynamodb/imports/ending_store.h"
#include "dynamodb/streams/streams.h"
#include "support/engines.h"

// How bulk operations go on behind their answers (docs/service/export-import.md section 3).
namespace test::bulk_jobs_test {

using namespace std::chrono_literals;
using namespace dinette;

namespace {

void check_status(const Json& operation, const std::string& status) {
  INFO(operation.dump());
  CHECK(operation.at("BulkOperationStatus") == status);
  const bool says_why = status == "FAILED" || status == "CANCELLED";
  CHECK(operation.contains("FailureCode") == says_why);
  CHECK(operation.contains("FailureMessage") == says_why);
  CHECK(operation.contains("EndTime"));
}

Json in_input(const Json& members) {
  return {{"InputS3Configuration", members}};
}

Json in_output(const Json& members) {
  return {{"OutputS3Configuration", members}};
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

std::string gzip(const std::string& text) {
  return base::compress(base::Compression::gzip, text);
}

/// A table with indexes of both kinds.
Json indexed() {
  Json table = with_range();
  table["LocalSecondaryIndexes"] =
      Json::array({index_on("here", Json::array({key("pk", "HASH"), key("a", "RANGE")}))});
  table["GlobalSecondaryIndexes"] = Json::array({index_on("there", Json::array({key("b", "HASH")}))});
  return table;
}

std::string indexed_line(const std::string& sk, const std::string& attribute, const std::string& value) {
  return Json{{"Item", {{"pk", {{"S", "p"}}}, {"sk", {{"S", sk}}}, {attribute, {{"S", value}}}}}}.dump() +
         "\n";
}

/// Listings that say that objects are large.
class LargeObjects final : public objects::ObjectStore {
 public:
  LargeObjects(objects::ObjectStore& store, std::uint64_t size) : store_(store), size_(size) {}

  objects::Result<std::unique_ptr<objects::ObjectWriter>> write(
      const std::string& bucket, const std::string& key,
      std::vector<std::pair<std::string, std::string>> headers) override {
    return store_.write(bucket, key, std::move(headers));
  }
  objects::Result<std::unique_ptr<objects::ObjectReader>> open(const std::string& bucket,
                                                               const std::string& key) override {
    return store_.open(bucket, key);
  }
  objects::Result<objects::Listing> list(const std::string& bucket,
                                         const objects::ListRequest& request) override {
    auto listing = store_.list(bucket, request);
    if (listing) {
      for (objects::ObjectInfo& object : listing->objects) object.size = size_;
    }
    return listing;
  }

 private:
  objects::ObjectStore& store_;
  std::uint64_t size_;
};

}  // namespace

TEST_CASE("bulk operations: objects under a prefix are put into the table, in the order of their keys") {
  Bulk db;
  put_number(db, "k1", -1);
  put_number(db, "old", -1);
  db.source("in/1", bulk_lines(0, 200));
  db.source("in/2", bulk_line("k7", 70) + bulk_line("k7", 71));
  db.source("in/empty", "");
  db.source("in/white", " \n\t\r\n");
  db.source("other", bulk_line("x", 3));
  const Json done = db.done(in_input({{"S3KeyPrefix", "in/"}}));
  check_status(done, "COMPLETED");
  check_counts(done, 202, 0);
  const auto bytes = bulk_lines(0, 200).size() + bulk_line("k7", 70).size() * 2 + 5;
  CHECK(done.at("TotalInputBytes") == bytes);
  CHECK(done.at("ProcessedInputBytes") == bytes);
  const Json numbers = db.numbers();
  CHECK(numbers.size() == 201);
  CHECK(numbers.at("k1") == 1);
  CHECK(numbers.at("k7") == 71);
  CHECK(numbers.at("old") == -1);
  const BulkReports reports = read_reports(db, done);
  CHECK(reports.errors.empty());
  CHECK(reports.conditions.empty());
}

TEST_CASE("bulk operations: of lines with one key the last wins") {
  Bulk db;
  db.source("a", bulk_line("a", 1) + bulk_line("b", 1) + bulk_line("a", 2) + bulk_line("a", 3, if_new()) +
                     bulk_line("b", 2));
  const Json done = db.done();
  check_status(done, "COMPLETED");
  check_counts(done, 5, 0);
  CHECK(db.numbers() == Json{{"a", 2}, {"b", 2}});
  CHECK(read_reports(db, done).conditions.size() == 1);
}

TEST_CASE("bulk operations: compressed objects, whose bytes are those that are stored") {
  Bulk db;
  const bool with_gzip = GENERATE(true, false);
  const std::string packed = with_gzip ? gzip(bulk_lines(0, 300)) : zstd(bulk_lines(0, 300));
  db.source("a", packed);
  const Json done = db.done(in_input({{"InputCompressionType", with_gzip ? "GZIP" : "ZSTD"}}));
  check_status(done, "COMPLETED");
  check_counts(done, 300, 0);
  CHECK(done.at("TotalInputBytes") == packed.size());
  CHECK(done.at("ProcessedInputBytes") == packed.size());
}

TEST_CASE("bulk operations: Ion, with conditions") {
  Bulk db;
  put_number(db, "old", 1);
  db.source("a", R"ion($ion_1_0 {Item:{pk:"new",n:1.},ConditionExpression:"attribute_not_exists(pk)"
}
$ion_1_0 {Item:{pk:"old",n:2.}, ConditionExpression:"#n = :one", ExpressionAttributeNames:{'#n':"n"},
          ExpressionAttributeValues:{':one':1.}}
{ExpressionAttributeValues:{":one":1}, ConditionExpression:"n = :one", Item:{pk:"new",n:3}}
{ConditionExpression:"n = :one", ExpressionAttributeValues:{":one":1}, Item:{pk:"old",n:4}}
{Item:{pk:"x",n:5}, ConditionExpression:7}
{Item:{pk:"y",n:5}, ConditionExpression:"attribute_exists(#n)", ExpressionAttributeNames:"n"}
)ion");
  const Json done = db.done(in_input({{"InputFormat", "ION"}}));
  check_status(done, "COMPLETED_WITH_ERRORS");
  check_counts(done, 6, 2);
  CHECK(db.numbers() == Json{{"new", 3}, {"old", 2}});
}

TEST_CASE("bulk operations: a condition that fails is processed, and not a failure") {
  Bulk db;
  put_number(db, "old", 1);
  db.source("a", bulk_line("old", 2, if_new()) + bulk_line("new", 2, if_new()) +
                     bulk_line("none", 2,
                               {{"ConditionExpression", "#n > :n"},
                                {"ExpressionAttributeNames", {{"#n", "n"}}},
                                {"ExpressionAttributeValues", {{":n", {{"N", "0"}}}}}}));
  const Json done = db.done();
  check_status(done, "COMPLETED");
  check_counts(done, 3, 0);
  CHECK(db.numbers() == Json{{"new", 2}, {"old", 1}});
  const BulkReports reports = read_reports(db, done);
  CHECK(reports.errors.empty());
  CHECK(reports.summary.at("conditionCheckFailureCount") == 2);
  const auto line = [](const std::string& pk, int place) {
    return Json{{"outputType", "CONDITION_CHECK_FAILURE"},
                {"itemS3Pointer", {{"bucket", "source"}, {"key", "a"}, {"itemIndex", place}}},
                {"item", {{"pk", {{"S", pk}}}, {"n", {{"N", "2"}}}}}};
  };
  const Json existing = {{"existingItem", {{"pk", {{"S", "old"}}}, {"n", {{"N", "1"}}}}}};
  CHECK(reports.conditions == std::vector<Json>{with(line("old", 0), existing), line("none", 2)});
}

TEST_CASE("bulk operations: conditions that PutItem would refuse cost their line") {
  const Json condition = GENERATE(
      Json{{"ConditionExpression", "attribute_not_exists("}}, Json{{"ConditionExpression", "n = :n"}},
      Json{{"ConditionExpression", "#n = n"}}, Json{{"ConditionExpression", 1}},
      Json{{"ExpressionAttributeNames", {{"#n", "n"}}}},
      Json{{"ConditionExpression", "attribute_exists(n)"}, {"ExpressionAttributeNames", {{"#n", "n"}}}},
      Json{{"ConditionExpression", "n = :n"}, {"ExpressionAttributeValues", {{":n", {{"N", "x"}}}}}},
      Json{{"ConditionExpression", "pk.x = pk"}}, Json{{"ConditionExpression", ""}});
  Bulk db;
  db.source("a", bulk_line("a", 1) + bulk_line("b", 2, condition) + bulk_line("c", 3));
  const Json done = db.done();
  check_status(done, "COMPLETED_WITH_ERRORS");
  check_counts(done, 3, 1);
  CHECK(db.numbers() == Json{{"a", 1}, {"c", 3}});
}

TEST_CASE("bulk operations: items that the table may not have are failures, and reading continues") {
  const std::string wrong = GENERATE(
      R"({"Item": {"n": {"N": "1"}}})", R"({"Item": {"pk": {"N": "1"}, "n": {"N": "1"}}})",
      R"({"Item": {"pk": {"S": ""}, "n": {"N": "1"}}})", R"({"Item": {"pk": {"S": "a"}, "n": {"X": "1"}}})",
      R"({"Item": {"pk": {"S": "a"}, "n": {"N": "x"}}})");
  Bulk db;
  db.source("a", bulk_lines(0, 6) + wrong + bulk_lines(6, 9));
  const Json done = db.done();
  check_status(done, "COMPLETED_WITH_ERRORS");
  check_counts(done, 10, 1);
  CHECK(db.numbers().size() == 9);
  const BulkReports reports = read_reports(db, done);
  REQUIRE(reports.errors.size() == 1);
  CHECK(reports.conditions.empty());
  const Json& error = reports.errors.front();
  CHECK(error.at("itemS3Pointer") == Json{{"bucket", "source"}, {"key", "a"}, {"itemIndex", 6}});
  CHECK(error.at("item") == Json::parse(wrong).at("Item"));
  REQUIRE(error.at("errorMessages").size() == 1);
  CHECK_FALSE(error.at("errorMessages").at(0).get<std::string>().empty());
}

TEST_CASE("bulk operations: the error is the one that PutItem answers with") {
  Bulk db;
  db.source("a",
            R"({"Item": {"n": {"N": "1"}}})" +
                Json{{"Item", {{"pk", {{"S", "a"}}}, {"t", {{"S", std::string(401 * 1024, 'x')}}}}}}.dump() +
                R"({"Item": {"pk": {"S": "a"}, "ns": {"NS": ["1", "1.0"]}}})");
  const BulkReports reports = read_reports(db, db.done());
  REQUIRE(reports.errors.size() == 3);
  CHECK(reports.errors[2].at("errorMessages") ==
        Json::array({"One or more parameter values were invalid: Input collection contains duplicates."}));
  CHECK(reports.errors[0].at("errorMessages") ==
        Json::array({"One or more parameter values were invalid: Missing the key pk in the item"}));
  CHECK(reports.errors[1].at("errorMessages") ==
        Json::array({"Item size has exceeded the maximum allowed size"}));
}

TEST_CASE("bulk operations: the error of an index key that is too long names the index") {
  Bulk db({}, with(on_demand(), {{"AttributeDefinitions", {attribute("pk", "S"), attribute("g", "S")}},
                                 {"GlobalSecondaryIndexes",
                                  Json::array({index_on("by-g", Json::array({key("g", "HASH")}))})}}));
  db.source("a", Json{{"Item", {{"pk", {{"S", "a"}}}, {"g", {{"S", std::string(2175, 'x')}}}}}}.dump());
  const BulkReports reports = read_reports(db, db.done());
  REQUIRE(reports.errors.size() == 1);
  CHECK(reports.errors[0].at("errorMessages") ==
        Json::array({"One or more parameter values were invalid: Size limit exceeded for Index Key g Actual "
                     "Size: 2175 bytes Max Size: 2048 bytes IndexName: by-g"}));
}

TEST_CASE("bulk operations: a broken line stops its object, and no other") {
  const std::string broken =
      GENERATE("garbage\n", "{\"Item\": {\"pk\": {\"S\": \"a\"}\n", "{\"pk\": {\"S\": \"a\"}}\n", "[]\n");
  Bulk db;
  db.source("a", bulk_lines(0, 5) + broken + bulk_lines(6, 10));
  db.source("b", bulk_line("next", 1));
  const Json done = db.done();
  check_status(done, "COMPLETED_WITH_ERRORS");
  check_counts(done, 7, 1);
  CHECK(db.numbers().size() == 6);
  CHECK(db.numbers().contains("next"));
  CHECK(done.at("ProcessedInputBytes") == done.at("TotalInputBytes"));
  const BulkReports reports = read_reports(db, done);
  REQUIRE(reports.errors.size() == 1);
  CHECK(reports.errors[0].at("itemS3Pointer").at("itemIndex") == 5);
  CHECK_FALSE(reports.errors[0].contains("item"));
}

TEST_CASE("bulk operations: an object that is not compressed as it should be is one failure") {
  Bulk db;
  db.source("a", bulk_lines(0, 10));
  db.source("b", gzip(bulk_line("b", 1)));
  const Json done = db.done(in_input({{"InputCompressionType", "GZIP"}}));
  check_status(done, "COMPLETED_WITH_ERRORS");
  check_counts(done, 2, 1);
  CHECK(db.numbers() == Json{{"b", 1}});
}

TEST_CASE("bulk operations: without objects there is nothing to do") {
  Bulk db;
  const Json done = db.done(in_input({{"S3KeyPrefix", "none"}}));
  check_status(done, "COMPLETED");
  check_counts(done, 0, 0);
  CHECK(done.at("TotalInputBytes") == 0);
  CHECK(read_reports(db, done).summary.at("tableArn") == music_arn);
}

TEST_CASE("bulk operations: indexes are fed, and their bytes counted") {
  Bulk db({}, indexed());
  db.source("a", indexed_line("1", "a", "x") + indexed_line("2", "b", "yy") + indexed_line("3", "c", "z"));
  const Json done = db.done();
  check_status(done, "COMPLETED");
  // pk and p, sk and a digit, and each item's attribute.
  CHECK(done.at("BulkOperationUsage") ==
        Json::array({{{"TableName", "Music"},
                      {"BulkPutBytes", 25 + 8 + 9},
                      {"Table", {{"BulkPutBytes", 8 + 9 + 8}}},
                      {"LocalSecondaryIndexes", {{"here", {{"BulkPutBytes", 8}}}}},
                      {"GlobalSecondaryIndexes", {{"there", {{"BulkPutBytes", 9}}}}}}}));
  CHECK(db.ok("Query", {{"TableName", "Music"},
                        {"IndexName", "there"},
                        {"KeyConditionExpression", "b = :b"},
                        {"ExpressionAttributeValues", {{":b", {{"S", "yy"}}}}}})
            .at("Count") == 1);
  const Json again = db.done();
  CHECK(again.at("BulkOperationUsage").at(0).at("Table").at("BulkPutBytes") == 25);
  CHECK_FALSE(again.at("BulkOperationUsage").at(0).contains("GlobalSecondaryIndexes"));
}

TEST_CASE("bulk operations: an item collection that is full is a failure of its items") {
  store::Face small = dynamodb::face();
  small.max_partition_bytes = 300;
  Buckets buckets;
  REQUIRE(buckets.store->create_bucket("source").ok());
  REQUIRE(buckets.store->create_bucket("reports").ok());
  DynamoDb db(buckets.options(), nullptr, small);
  db.ok("CreateTable", indexed());
  std::string lines;
  for (int i = 0; i < 9; ++i) lines += indexed_line(std::to_string(i), "t", std::string(90, 'x'));
  REQUIRE(objects::put(*buckets.store, "source", "a", lines).ok());
  const Json begun = db.ok("StartBulkPutItems", bulk_request()).at("BulkOperationDescription");
  db.jobs().run_due();
  const Json done = db.ok("DescribeBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}})
                        .at("BulkOperationDescription");
  check_status(done, "COMPLETED_WITH_ERRORS");
  CHECK(done.at("ProcessedItemCount") == 9);
  const int failed = done.at("FailedItemCount");
  const int count = db.ok("Scan", {{"TableName", "Music"}}).at("Count");
  CHECK(failed > 0);
  CHECK(failed + count == 9);
  const BulkReports reports = read_reports(buckets, done);
  CHECK(reports.errors.size() == static_cast<std::size_t>(failed));
  for (const Json& error : reports.errors) {
    CHECK(error.at("errorMessages") == Json::array({"Collection size exceeded."}));
    const std::string sk = error.at("item").at("sk").at("S");
    CHECK(error.at("itemS3Pointer").at("itemIndex") == std::stoi(sk));
    CHECK(db.get("Music", {{"pk", {{"S", "p"}}}, {"sk", {{"S", sk}}}}).is_null());
  }
}

TEST_CASE("bulk operations: streams record the puts") {
  Bulk db({}, with_stream());
  const std::string arn = stream_arn(db);
  put_number(db, "old", 1);
  db.source("a", bulk_line("old", 2) + bulk_line("new", 1) + bulk_line("new", 3, if_new()));
  check_status(db.done(), "COMPLETED");
  const auto changes = records(db, arn);
  REQUIRE(changes.size() == 3);
  CHECK(changes[1].at("eventName") == "MODIFY");
  CHECK(changes[1].at("dynamodb").at("OldImage").at("n").at("N") == "1");
  CHECK(changes[2].at("eventName") == "INSERT");
}

TEST_CASE("bulk operations: items with a time to live end when it is over") {
  Bulk db;
  db.ok("UpdateTimeToLive",
        {{"TableName", "Music"}, {"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "n"}}}});
  db.jobs().run_due();
  db.source("a", bulk_line("late", 1791640000) + bulk_line("soon", 1791633700));
  check_status(db.done(), "COMPLETED");
  CHECK(db.numbers().size() == 2);
  db.DynamoDb::clock().advance(200s);
  db.jobs().run_due();
  CHECK(db.numbers() == Json{{"late", 1791640000}});
}

TEST_CASE("bulk operations: buckets that are missing, or another account's") {
  const auto check_failed = [](const Json& members, const std::string& code) {
    Bulk db;
    db.source("a", bulk_line("a", 1));
    const Json done = db.done(members);
    check_status(done, "FAILED");
    CHECK(done.at("FailureCode") == code);
    check_counts(done, 0, 0);
    CHECK_FALSE(done.contains("TotalInputBytes"));
    CHECK(db.numbers().empty());
    const bool at_output = members.contains("OutputS3Configuration");
    CHECK(db.keys("reports").empty() == at_output);
  };
  check_failed(in_input({{"S3Bucket", "nobodys"}}), "S3NoSuchBucket");
  check_failed(in_output({{"S3Bucket", "nobodys"}}), "S3NoSuchBucket");
  check_failed(in_input({{"S3BucketOwner", "111111111111"}}), "S3AccessDenied");
  check_failed(in_output({{"S3BucketOwner", "111111111111"}}), "S3AccessDenied");
  Bulk db;
  check_status(db.done(in_input({{"S3BucketOwner", "000000000000"}})), "COMPLETED");
}

TEST_CASE("bulk operations: without a place for objects every bucket is missing") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  const Json begun = db.ok("StartBulkPutItems", bulk_request()).at("BulkOperationDescription");
  db.jobs().run_due();
  CHECK(db.ok("DescribeBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}})
            .at("BulkOperationDescription")
            .at("FailureCode") == "S3NoSuchBucket");
}

TEST_CASE("bulk operations: at most 50,000 objects, of 5 GB each", "[volume]") {
  Bulk db;
  for (int i = 0; i < 50'000; ++i) db.source("o" + std::to_string(i), "\n");
  check_status(db.done(), "COMPLETED");
  db.source("one more", "\n");
  const Json done = db.done();
  check_status(done, "FAILED");
  CHECK(done.at("FailureCode") == "InputLimitExceeded");
  for (const bool too_large : {false, true}) {
    Buckets buckets;
    REQUIRE(buckets.store->create_bucket("source").ok());
    REQUIRE(buckets.store->create_bucket("reports").ok());
    REQUIRE(objects::put(*buckets.store, "source", "a", bulk_line("a", 1)).ok());
    LargeObjects large(*buckets.store, (5ULL << 30) + (too_large ? 1 : 0));
    dynamodb::ServiceOptions options;
    options.objects = &large;
    DynamoDb other(options);
    other.ok("CreateTable", on_demand());
    const Json begun = other.ok("StartBulkPutItems", bulk_request()).at("BulkOperationDescription");
    other.jobs().run_due();
    const Json described =
        other.ok("DescribeBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}})
            .at("BulkOperationDescription");
    check_status(described, too_large ? "FAILED" : "COMPLETED");
  }
}

TEST_CASE("bulk operations: progress is seen") {
  Bulk db;
  db.source("a", bulk_lines(0, 1000));
  const Json begun = db.begin();
  CHECK_FALSE(begun.contains("TotalInputBytes"));
  int between = 0;
  while (db.jobs().run_step()) {
    const Json now = db.description(begun);
    const int processed = now.at("ProcessedItemCount");
    if (processed == 0 || processed == 1000) continue;
    ++between;
    CHECK(now.at("BulkOperationStatus") == "IN_PROGRESS");
    CHECK(now.at("TotalInputBytes") == bulk_lines(0, 1000).size());
    CHECK(now.at("ProcessedInputBytes") > 0);
    CHECK(now.at("BulkOperationUsage").at(0).at("BulkPutBytes") > 0);
    CHECK(db.numbers().size() == static_cast<std::size_t>(processed));
  }
  CHECK(between >= 5);
}

TEST_CASE("bulk operations: what is cancelled stops, and what was written stays") {
  Bulk db;
  db.source("a", bulk_line("k0", 5, {{"ConditionExpression", "attribute_exists(pk)"}}) + "{\"Item\": {}}" +
                     bulk_lines(0, 1000));
  const Json begun = db.begin();
  while (db.numbers().empty()) REQUIRE(db.jobs().run_step());
  const Json arn = {{"BulkOperationArn", begun.at("BulkOperationArn")}};
  const auto count = db.numbers().size();
  CHECK(db.ok("CancelBulkOperation", arn) ==
        Json{{"BulkOperationArn", begun.at("BulkOperationArn")}, {"BulkOperationStatus", "CANCELLING"}});
  CHECK(db.description(begun).at("BulkOperationStatus") == "CANCELLING");
  CHECK(db.ok("CancelBulkOperation", arn).at("BulkOperationStatus") == "CANCELLING");
  CHECK(db.call("StartBulkPutItems", bulk_request()).error() == "ResourceInUseException");
  const Json done = db.ended(begun);
  check_status(done, "CANCELLED");
  CHECK(db.numbers().size() == count);
  CHECK(done.at("ProcessedItemCount") == count + 2);
  const BulkReports reports = read_reports(db, done);
  CHECK(reports.errors.size() == 1);
  CHECK(reports.conditions.size() == 1);
  CHECK(db.ok("CancelBulkOperation", arn).at("BulkOperationStatus") == "CANCELLED");
  CHECK(db.description(begun) == done);
  check_status(db.done(), "COMPLETED_WITH_ERRORS");
}

TEST_CASE("bulk operations: what is cancelled at any step is cancelled") {
  bool ended = false;
  for (int steps = 0; !ended; ++steps) {
    Bulk db;
    db.source("a", R"({"Item": {}})" + bulk_lines(0, 200));
    db.source("b", bulk_lines(200, 300));
    const Json begun = db.begin();
    for (int i = 0; i < steps; ++i) db.jobs().run_step();
    const Json answer = db.ok("CancelBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}});
    ended = answer.at("BulkOperationStatus") != "CANCELLING";
    INFO("after " << steps << " steps");
    const Json done = db.ended(begun);
    check_status(done, ended ? "COMPLETED_WITH_ERRORS" : "CANCELLED");
    CHECK(db.numbers().size() + done.at("FailedItemCount").get<std::size_t>() ==
          done.at("ProcessedItemCount"));
    read_reports(db, done);
    REQUIRE(steps < 20);
  }
}

TEST_CASE("bulk operations: what has ended cannot be cancelled") {
  Bulk db;
  db.source("a", bulk_line("a", 1));
  const Json done = db.done();
  CHECK(db.ok("CancelBulkOperation", {{"BulkOperationArn", done.at("BulkOperationArn")}})
            .at("BulkOperationStatus") == "COMPLETED");
  CHECK(db.ended(done) == done);
}

TEST_CASE("bulk operations: states last as long as those of tables") {
  dynamodb::ServiceOptions options;
  options.state_delay = 2s;
  Bulk db(options);
  db.source("a", bulk_line("a", 1));
  const Json begun = db.begin();
  CHECK(db.ended(begun).at("BulkOperationStatus") == "IN_PROGRESS");
  db.DynamoDb::clock().advance(2s);
  check_status(db.ended(begun), "COMPLETED");
  const Json other = db.begin();
  db.ok("CancelBulkOperation", {{"BulkOperationArn", other.at("BulkOperationArn")}});
  CHECK(db.ended(other).at("BulkOperationStatus") == "CANCELLING");
  db.DynamoDb::clock().advance(2s);
  check_status(db.ended(other), "CANCELLED");
}

TEST_CASE(
    "bulk operations: a table that is deleted meanwhile fails them, another one of its name is left alone") {
  dynamodb::ServiceOptions options;
  const bool slowly = GENERATE(false, true);
  if (slowly) options.state_delay = 2s;
  Bulk db(options);
  db.source("a", bulk_lines(0, 1000));
  const Json begun = db.begin();
  while (db.numbers().empty()) REQUIRE(db.jobs().run_step());
  db.ok("DeleteTable", {{"TableName", "Music"}});
  db.DynamoDb::clock().advance(options.state_delay);
  db.ok("CreateTable", on_demand());
  const Json done = db.ended(begun);
  check_status(done, "FAILED");
  CHECK(done.at("FailureCode") == "ResourceNotFound");
  db.DynamoDb::clock().advance(options.state_delay);
  CHECK(db.numbers().empty());
}

TEST_CASE("bulk operations: a table that is changed meanwhile") {
  Bulk db;
  db.source("a", bulk_lines(0, 700) + bulk_line("k1", 1, if_new()));
  const Json begun = db.begin();
  while (db.numbers().empty()) REQUIRE(db.jobs().run_step());
  db.ok("UpdateTable", {{"TableName", "Music"},
                        {"AttributeDefinitions", Json::array({attribute("pk", "S"), attribute("n", "N")})},
                        {"GlobalSecondaryIndexUpdates",
                         Json::array({{{"Create", index_on("byN", Json::array({key("n", "HASH")}))}}})}});
  const Json done = db.ended(begun);
  check_status(done, "COMPLETED");
  check_counts(done, 701, 0);
  CHECK(describe(db).at("GlobalSecondaryIndexes").at(0).at("ItemCount") == 700);
}

TEST_CASE("bulk operations: a table that is DELETING gets no more items") {
  dynamodb::ServiceOptions options;
  options.state_delay = 2s;
  Bulk db(options);
  db.source("a", bulk_lines(0, 1000));
  const Json begun = db.begin();
  while (db.numbers().empty()) REQUIRE(db.jobs().run_step());
  db.DynamoDb::clock().advance(2s);
  db.ok("DeleteTable", {{"TableName", "Music"}});
  const auto count = db.numbers().size();
  const Json done = db.ended(begun);
  REQUIRE(describe(db).at("TableStatus") == "DELETING");
  check_status(done, "FAILED");
  CHECK(done.at("FailureCode") == "ResourceNotFound");
  CHECK(db.numbers().size() == count);
}

TEST_CASE("bulk operations: many lines make several files, each of one kind, and no line is lost") {
  Bulk db;
  std::string lines;
  const std::string filler(20'000, 'x');
  for (int i = 0; i < 300; ++i) {
    const Json item = {{"pk", {{"S", std::to_string(i)}}}, {"t", {{"S", filler}}}};
    lines += Json{{"Item", item}, {"ConditionExpression", "attribute_exists(pk)"}}.dump() + "\n" +
             Json{{"Item", {{"i", {{"N", std::to_string(i)}}}, {"t", {{"S", filler}}}}}}.dump() + "\n";
  }
  db.source("a", lines);
  const Json done = db.done();
  check_counts(done, 600, 300);
  const BulkReports reports = read_reports(db, done);
  std::set<int> errors;
  std::set<int> conditions;
  for (const Json& line : reports.errors)
    errors.insert(std::stoi(line.at("item").at("i").at("N").get<std::string>()));
  for (const Json& line : reports.conditions)
    conditions.insert(std::stoi(line.at("item").at("pk").at("S").get<std::string>()));
  CHECK((reports.errors.size() == 300 && errors.size() == 300));
  CHECK((reports.conditions.size() == 300 && conditions.size() == 300));
  std::size_t files = 0;
  for (const std::string& key : db.keys("reports")) files += key.find("/data/") != std::string::npos ? 1 : 0;
  CHECK(files >= 4);
}

TEST_CASE("bulk operations: only the reports that are asked for, below their prefix") {
  Bulk db;
  db.source("a", "{\"Item\": {}}" + bulk_line("a", 1, {{"ConditionExpression", "attribute_exists(pk)"}}));
  const bool errors = GENERATE(true, false);
  const Json done =
      db.done(in_output({{"S3KeyPrefix", errors ? "out" : "out/"},
                         {"OutputType", Json::array({errors ? "ERROR" : "CONDITION_CHECK_FAILURE"})}}));
  check_status(done, "COMPLETED_WITH_ERRORS");
  check_counts(done, 2, 1);
  const BulkReports reports = read_reports(db, done, "out/");
  CHECK(reports.errors.size() == (errors ? 1 : 0));
  CHECK(reports.conditions.size() == (errors ? 0 : 1));
}

TEST_CASE("bulk operations: a report that is asked for twice is made once") {
  Bulk db;
  db.source("a", "{\"Item\": {}}");
  const Json done = db.done(in_output({{"OutputType", Json::array({"ERROR", "ERROR"})}}));
  CHECK(done.at("OutputS3Configuration").at("OutputType") == Json::array({"ERROR", "ERROR"}));
  CHECK(read_reports(db, done).errors.size() == 1);
}

TEST_CASE("bulk operations: one continues after a restart, at any step, and counts nothing twice") {
  std::string first;
  for (int i = 0; i < 300; ++i) first += bulk_line("k" + std::to_string(i), i, if_new());
  for (int steps = 0; steps < 14; ++steps) {
    const std::shared_ptr<kv::Engine> engine = make_test_engine();
    Buckets buckets;
    REQUIRE(buckets.store->create_bucket("source").ok());
    REQUIRE(buckets.store->create_bucket("reports").ok());
    REQUIRE(objects::put(*buckets.store, "source", "a",
                         first + R"({"Item": {}})" + bulk_line("k7", 7, if_new()) + bulk_lines(300, 500))
                .ok());
    REQUIRE(objects::put(*buckets.store, "source", "b", bulk_lines(500, 700)).ok());
    Json begun;
    {
      DynamoDb db(buckets.options(), engine);
      db.ok("CreateTable", on_demand());
      begun = db.ok("StartBulkPutItems", bulk_request()).at("BulkOperationDescription");
      for (int i = 0; i < steps; ++i) db.jobs().run_step();
    }
    DynamoDb db(buckets.options(), engine);
    db.jobs().run_due();
    const Json done = db.ok("DescribeBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}})
                          .at("BulkOperationDescription");
    INFO("after " << steps << " steps");
    check_status(done, "COMPLETED_WITH_ERRORS");
    check_counts(done, 702, 1);
    CHECK(describe(db).at("ItemCount") == 700);
    const BulkReports reports = read_reports(buckets, done);
    CHECK(reports.errors.size() == 1);
    CHECK(reports.conditions.size() == 1);
    CHECK(done.at("ProcessedInputBytes") == done.at("TotalInputBytes"));
  }
}

TEST_CASE("bulk operations: one goes on after a server that ended at any call about its objects") {
  Buckets buckets;
  REQUIRE(buckets.store->create_bucket("source").ok());
  REQUIRE(buckets.store->create_bucket("reports").ok());
  REQUIRE(objects::put(*buckets.store, "source", "a", bulk_lines(0, 200) + R"({"Item": {}})").ok());
  REQUIRE(objects::put(*buckets.store, "source", "b", bulk_lines(200, 300)).ok());
  const auto described = [](DynamoDb& db, const Json& begun) {
    return db.ok("DescribeBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}})
        .at("BulkOperationDescription");
  };
  bool ended = false;
  for (int calls = 0; !ended; ++calls) {
    const std::shared_ptr<kv::Engine> engine = make_test_engine();
    INFO("after " << calls << " calls");
    Json begun;
    {
      EndingStore ending(*buckets.store, calls);
      dynamodb::ServiceOptions options;
      options.objects = &ending;
      DynamoDb db(options, engine);
      db.ok("CreateTable", on_demand());
      begun = db.ok("StartBulkPutItems", bulk_request(in_output({{"S3KeyPrefix", std::to_string(calls)}})))
                  .at("BulkOperationDescription");
      db.jobs().run_due();
      ended = described(db, begun).at("BulkOperationStatus") != "IN_PROGRESS";
    }
    DynamoDb db(buckets.options(), engine);
    db.jobs().run_due();
    const Json done = described(db, begun);
    check_status(done, "COMPLETED_WITH_ERRORS");
    check_counts(done, 301, 1);
    CHECK(describe(db).at("ItemCount") == 300);
    CHECK(read_reports(buckets, done, std::to_string(calls) + "/").errors.size() == 1);
    REQUIRE(calls < 40);
  }
}

TEST_CASE("bulk operations: others have their turn") {
  Bulk db;
  db.create_table("Other");
  db.source("a", bulk_lines(0, 1000));
  const Json first = db.begin();
  const Json second = db.begin({{"TableName", "Other"}});
  int turns = 0;
  while (db.description(first).at("BulkOperationStatus") == "IN_PROGRESS" ||
         db.description(second).at("BulkOperationStatus") == "IN_PROGRESS") {
    REQUIRE(db.jobs().run_step());
    ++turns;
  }
  CHECK(turns >= 16);
  check_counts(db.description(first), 1000, 0);
  check_counts(db.description(second), 1000, 0);
}

}  // namespace test::bulk_jobs_test
