#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"
#include "dinette/dynamodb/service.h"
#include "dinette/store/scan.h"

#include "dynamodb/imports/ending_store.h"
#include "dynamodb/imports/imports.h"
#include "dynamodb/tasks/task.h"
#include "support/captured_log.h"
#include "support/engines.h"
#include "support/faulty_engine.h"

// How imports go on behind their answers (docs/service/export-import.md section 2, "Reading the objects").
namespace test::import_jobs_test {

using namespace std::chrono_literals;

namespace {

const std::string not_all =
    "Some of the items failed validation checks and were not imported. Please check CloudWatch error logs "
    "for "
    "more details.";

void check_counts(const Json& import, int imported, int errors) {
  CHECK(import.at("ProcessedItemCount") == imported + errors);
  CHECK(import.at("ImportedItemCount") == imported);
  CHECK(import.at("ErrorCount") == errors);
}

void check_completed(const Json& import, int items) {
  CHECK(import.at("ImportStatus") == "COMPLETED");
  CHECK_FALSE(import.contains("FailureCode"));
  check_counts(import, items, 0);
}

void check_failed_items(const Json& import, int imported, int errors) {
  CHECK(import.at("ImportStatus") == "FAILED");
  CHECK(import.at("FailureCode") == "ItemValidationError");
  CHECK(import.at("FailureMessage") == not_all);
  check_counts(import, imported, errors);
}

std::string lines(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i) text += line("k" + std::to_string(i), i);
  return text;
}

}  // namespace

TEST_CASE("imports: no write capacity is used") {
  dinette::dynamodb::ServiceOptions options;
  options.throttle = true;
  Importer importer(options);
  // 400 units; a table with one has saved 300 at most.
  std::string data;
  const std::string text(2000, 'x');
  for (int i = 0; i < 200; ++i)
    data += Json{{"Item", {{"pk", {{"S", std::to_string(i)}}}, {"text", {{"S", text}}}}}}.dump() + "\n";
  importer.put("a", data);
  Json table = import_request().at("TableCreationParameters");
  table["BillingMode"] = "PROVISIONED";
  table["ProvisionedThroughput"] = units(1, 1);
  check_completed(importer.imported({{"TableCreationParameters", table}}), 200);
  CHECK(importer.db.call("PutItem", {{"TableName", "New"}, {"Item", {{"pk", {{"S", "a"}}}}}}).status == 200);
}

TEST_CASE("imports: objects under a prefix become a table") {
  Importer importer;
  importer.put("data/1", lines(0, 200));
  importer.put("data.bak", line("bak", 1));
  importer.put("data2/x", line("x", 2));
  importer.put("other", line("y", 3));
  importer.put("data/empty", "");
  importer.put("data/white", " \n\t\r\n");
  const Json begun = importer.begin({{"S3BucketSource", {{"S3KeyPrefix", "data"}}}});
  const Json import = importer.described(begun);
  check_completed(import, 202);
  CHECK(import.at("ProcessedSizeBytes") ==
        lines(0, 200).size() + line("bak", 1).size() + line("x", 2).size() + 5);
  CHECK(import.at("EndTime") == 1791633600);
  CHECK(importer.items().size() == 202);
  CHECK(importer.items().at("k199") == 199);
  CHECK(describe(importer.db, "New").at("TableStatus") == "ACTIVE");
  CHECK(describe(importer.db, "New").at("TableId") == begun.at("TableId"));
}

TEST_CASE("imports: items need no lines of their own") {
  Importer importer;
  std::string text = line("a", 1) + line("b", 2);
  text.erase(text.find('\n'), 1);
  importer.put("x", text + "\n\n  \n" + line("c", 3));
  check_completed(importer.imported(), 3);
}

TEST_CASE("imports: gzip, of which the size is that of the text") {
  Importer importer;
  importer.put("x", dinette::base::compress(dinette::base::Compression::gzip, lines(0, 10)));
  importer.put("empty", "");
  const Json import = importer.imported({{"InputCompressionType", "GZIP"}});
  check_completed(import, 10);
  CHECK(import.at("ProcessedSizeBytes") == lines(0, 10).size());
}

TEST_CASE("imports: an object that is not compressed as it should be is one error") {
  Importer importer;
  importer.put("a", lines(0, 10));
  importer.put("b", dinette::base::compress(dinette::base::Compression::gzip, line("b", 1)));
  check_failed_items(importer.imported({{"InputCompressionType", "GZIP"}}), 1, 1);
  CHECK(importer.items() == Json{{"b", 1}});
}

TEST_CASE("imports: what cannot be made an item ends its object") {
  const std::string broken = GENERATE("garbage\n", "{\"Item\": {\"pk\": {\"S\": \"a\"}\n",
                                      "{\"pk\": {\"S\": \"a\"}}\n", "[]\n", "{\"Item\": 1}\n");
  Importer importer;
  importer.put("a", lines(0, 5) + broken + lines(6, 10));
  importer.put("b", line("next", 1));
  check_failed_items(importer.imported(), 6, 1);
  CHECK(importer.items().contains("next"));
  CHECK(describe(importer.db, "New").at("TableStatus") == "ACTIVE");
}

TEST_CASE("imports: an item that the table may not have is one error, and reading continues") {
  const std::string wrong = GENERATE(
      R"({"Item": {"n": {"N": "1"}}})", R"({"Item": {"pk": {"N": "1"}, "n": {"N": "1"}}})",
      R"({"Item": {"pk": {"S": ""}, "n": {"N": "1"}}})", R"({"Item": {"pk": {"S": "a"}, "": {"N": "1"}}})",
      R"({"Item": {"pk": {"S": "a"}, "n": {"X": "1"}}})", R"({"Item": {"pk": {"S": "a"}, "n": {"N": "x"}}})",
      R"({"Item": {"pk": {"S": "a"}, "n": {"SS": []}}})");
  Importer importer;
  importer.put("a", lines(0, 6) + wrong + lines(6, 9));
  check_failed_items(importer.imported(), 9, 1);
}

TEST_CASE("imports: the log says of the first hundred errors where they are, and why") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  Importer importer;
  std::string data = line("good", 1);
  for (int i = 0; i < 150; ++i)
    data += R"({"Item": {"n": {"N": "1"}}})"
            "\n";
  importer.put("in/a", data);
  const Json import = importer.imported();
  check_failed_items(import, 1, 150);
  std::istringstream text(log.text());
  std::vector<std::string> lines;
  for (std::string one; std::getline(text, one);) lines.push_back(one.substr(25));
  REQUIRE(lines.size() == 100);
  const std::string arn = import.at("ImportArn");
  const auto said = [&](const std::string& sentence, int item) {
    return "warn " + sentence + " import=" + arn + " bucket=source key=in/a item=" + std::to_string(item) +
           " reason=\"One or more parameter values were invalid: Missing the key pk in the item\"";
  };
  CHECK(lines.front() == said("an item was not imported", 1));
  CHECK(lines.back() == said("an item was not imported; further ones are not logged", 100));
}

TEST_CASE("imports: the error of an index key that is too long names the index") {
  test::CapturedLog log(dinette::base::LogLevel::warn);
  Importer importer;
  importer.put("a", Json{{"Item", {{"pk", {{"S", "a"}}}, {"g", {{"S", std::string(2175, 'x')}}}}}}.dump());
  check_failed_items(
      importer.imported(
          {{"TableCreationParameters",
            {{"AttributeDefinitions", {attribute("pk", "S"), attribute("g", "S")}},
             {"GlobalSecondaryIndexes", Json::array({index_on("by-g", Json::array({key("g", "HASH")}))})}}}}),
      0, 1);
  CHECK(log.text().find(
            "reason=\"One or more parameter values were invalid: Size limit exceeded for Index Key "
            "g Actual Size: 2175 bytes Max Size: 2048 bytes IndexName: by-g\"") != std::string::npos);
}

TEST_CASE("imports: an item without the sort key is an error") {
  Importer importer;
  importer.put("a", line("a", 1) + R"({"Item": {"pk": {"S": "b"}}})");
  check_failed_items(
      importer.imported({{"TableCreationParameters",
                          {{"AttributeDefinitions", {attribute("pk", "S"), attribute("n", "N")}},
                           {"KeySchema", {key("pk", "HASH"), key("n", "RANGE")}}}}}),
      1, 1);
}

TEST_CASE("imports: attributes of all types, empty ones among them") {
  Importer importer;
  importer.put("a", R"({"Item": {"pk": {"S": "a"}, "empty": {"S": ""}, "b": {"B": ""}, "l": {"L": []},
                        "m": {"M": {}}, "bs": {"BS": ["AA=="]}, "no": {"NULL": true}, "yes": {"BOOL": true}}})");
  check_completed(importer.imported(), 1);
  CHECK(importer.db.get("New", {{"pk", {{"S", "a"}}}}) ==
        Json::parse(R"({"pk": {"S": "a"}, "empty": {"S": ""}, "b": {"B": ""}, "l": {"L": []}, "m": {"M": {}},
                        "bs": {"BS": ["AA=="]}, "no": {"NULL": true}, "yes": {"BOOL": true}})"));
}

TEST_CASE("imports: an item is at most 400 KB") {
  Importer importer;
  const auto item = [](std::size_t bytes) {
    return Json{
        {"Item", {{"pk", {{"S", "a"}}}, {"n", {{"N", "1"}}}, {"t", {{"S", std::string(bytes, 'x')}}}}}}
        .dump();
  };
  importer.put("a", item(380 * 1024) + item(401 * 1024));
  check_failed_items(importer.imported(), 1, 1);
}

TEST_CASE("imports: keys of indexes must be of their types, and indexes are filled") {
  Importer importer;
  Json table = on_demand();
  table["AttributeDefinitions"].push_back(attribute("g", "N"));
  table["GlobalSecondaryIndexes"] = Json::array({index_on("byG", Json::array({key("g", "HASH")}))});
  importer.put("a",
               R"({"Item": {"pk": {"S": "a"}, "g": {"N": "1"}}} {"Item": {"pk": {"S": "b"}, "g": {"S": "1"}}}
                       {"Item": {"pk": {"S": "c"}}})");
  Json request = import_request();
  table["TableName"] = "New";
  check_failed_items(importer.imported({{"TableCreationParameters", table}}), 2, 1);
  CHECK(describe(importer.db, "New").at("GlobalSecondaryIndexes").at(0).at("ItemCount") == 1);
}

// docs/service/vector-search.md, "Elsewhere".
TEST_CASE("imports: indexes of vectors are filled, and vectors that they do not take are errors") {
  Importer importer;
  const Json index = {{"IndexName", "byE"},
                      {"VectorAttribute", {{"AttributeName", "e"}}},
                      {"Dimensions", 2},
                      {"DistanceFunction", "EUCLIDEAN"},
                      {"Projection", keys_only()}};
  importer.put("a", R"({"Item": {"pk": {"S": "a"}, "e": {"L": [{"N": "1"}, {"N": "2"}]}}}
                       {"Item": {"pk": {"S": "b"}, "e": {"L": [{"N": "1"}]}}}
                       {"Item": {"pk": {"S": "c"}}})");
  check_failed_items(
      importer.imported({{"TableCreationParameters", {{"VectorIndexes", Json::array({index})}}}}), 2, 1);
  const Json vector = Json::array({{{"N", "1"}}, {{"N", "2"}}});
  const Json found = importer.db.ok(
      "SearchVectors", {{"TableName", "New"}, {"IndexName", "byE"}, {"SearchVector", vector}, {"TopK", 5}});
  CHECK(found.at("SearchResults") == Json::array({{{"Item", {{"pk", {{"S", "a"}}}}}, {"Score", 0.0}}}));
}

TEST_CASE("imports: one of several items of a key wins, and all are counted") {
  Importer importer;
  importer.put("a", line("a", 1) + line("b", 1) + line("a", 2) + line("b", 2) + line("c", 1));
  check_completed(importer.imported(), 5);
  CHECK(importer.items() == Json{{"a", 2}, {"b", 2}, {"c", 1}});
}

TEST_CASE("imports: one whose storage keeps failing has FAILED once it can be said") {
  const auto engine = std::make_shared<dinette::test::FaultyEngine>(make_test_engine());
  Importer importer({}, engine);
  importer.put("a", line("a", 1));
  const Json begun = importer.begin();
  for (int failures = 0; failures < dinette::dynamodb::most_failures; ++failures) {
    engine->plan().fail(dinette::test::EngineCall::snapshot, 1, dinette::kv::ErrorKind::io);
    while (!importer.db.jobs().run_step()) importer.db.clock().advance(1s);
    REQUIRE(engine->plan().spent());
  }
  importer.db.clock().advance(1s);
  const Json import = importer.described(begun);
  CHECK(import.at("ImportStatus") == "FAILED");
  CHECK(import.at("FailureCode") == "InternalServerError");
}

TEST_CASE("imports: erased after 90 days, and their tokens after 8 hours") {
  Importer importer;
  importer.imported();
  const auto entries = [&](std::uint32_t space) {
    auto& store = importer.db.worlds().pick("").value()->store(dinette::dynamodb::face().id);
    const auto view = store.view().value();
    auto cursor = view.scan(dinette::store::SpaceId{space}, {}, dinette::store::Direction::forward).value();
    std::size_t count = 0;
    while (cursor.next().value()) ++count;
    return count;
  };
  CHECK(entries(7) == 1);
  CHECK(entries(1) == 1);
  importer.db.clock().advance(8h);
  importer.db.jobs().run_due();
  CHECK(entries(7) == 1);
  CHECK(entries(1) == 0);
  CHECK(entries(2) == 0);
  importer.db.clock().advance(24h * 90);
  importer.db.jobs().run_due();
  CHECK(entries(7) == 0);
}

TEST_CASE("imports: without objects the table is empty") {
  Importer importer;
  const Json import = importer.imported({{"S3BucketSource", {{"S3KeyPrefix", "none"}}}});
  check_completed(import, 0);
  CHECK(import.value("ProcessedSizeBytes", 0) == 0);
  CHECK(importer.items().empty());
}

TEST_CASE("imports: without a bucket there is no table") {
  Importer importer;
  const Json import = importer.imported({{"S3BucketSource", {{"S3Bucket", "nobodys"}}}});
  CHECK(import.at("ImportStatus") == "FAILED");
  CHECK(import.at("FailureCode") == "S3NoSuchBucket");
  CHECK(import.at("FailureMessage")
            .get<std::string>()
            .starts_with("The specified bucket does not exist (Service: Amazon S3; Status Code: 404; Error "
                         "Code: NoSuchBucket; Request "
                         "ID: "));
  check_counts(import, 0, 0);
  CHECK_FALSE(import.contains("ProcessedSizeBytes"));
  CHECK(importer.db.call("DescribeTable", R"({"TableName": "New"})").error() == "ResourceNotFoundException");
}

TEST_CASE("imports: of a bucket that is another account's there is no table, either") {
  Importer importer;
  importer.put("a", line("a", 1));
  const auto owned_by = [](const char* account) {
    return Json{{"ClientToken", account}, {"S3BucketSource", {{"S3BucketOwner", account}}}};
  };
  const Json import = importer.imported(owned_by("111111111111"));
  CHECK(import.at("ImportStatus") == "FAILED");
  CHECK(import.at("FailureCode") == "S3AccessDenied");
  CHECK_THAT(import.at("FailureMessage").get<std::string>(),
             Catch::StartsWith("Access Denied (Service: Amazon S3; Status Code: 403; "));
  check_counts(import, 0, 0);
  CHECK(importer.db.call("DescribeTable", R"({"TableName": "New"})").error() == "ResourceNotFoundException");
  check_completed(importer.imported(owned_by("000000000000")), 1);
}

TEST_CASE("imports: a bucket that goes meanwhile fails them, and the items that were put stay") {
  Importer importer;
  importer.put("a", lines(0, 200));
  const Json begun = importer.begin();
  while (importer.db.call("DescribeTable", R"({"TableName": "New"})").status != 200)
    REQUIRE(importer.db.jobs().run_step());
  REQUIRE(importer.db.jobs().run_step());  // opens the object
  REQUIRE(importer.objects->remove("source", "a").ok());
  REQUIRE(importer.objects->remove_bucket("source").ok());
  const Json import = importer.described(begun);
  CHECK(import.at("ImportStatus") == "FAILED");
  CHECK(import.at("FailureCode") == "S3NoSuchBucket");
  check_counts(import, 200, 0);
  CHECK(importer.items().size() == 200);
}

TEST_CASE("imports: the table is as CreateTable would make it") {
  Importer importer;
  importer.put("a", line("a", 1));
  Json table = GENERATE(on_demand("New"), provisioned("New"));
  table["AttributeDefinitions"].push_back(attribute("n", "N"));
  table["GlobalSecondaryIndexes"] = Json::array({index_on("byN", Json::array({key("n", "HASH")}))});
  table["SSESpecification"] = {{"Enabled", true}, {"SSEType", "KMS"}};
  if (table.contains("ProvisionedThroughput")) {
    table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"] = units(3, 4);
  } else {
    table["OnDemandThroughput"] = {{"MaxReadRequestUnits", 5}, {"MaxWriteRequestUnits", 6}};
    table["GlobalSecondaryIndexes"][0]["OnDemandThroughput"] = {{"MaxReadRequestUnits", 7}};
  }
  Json request = import_request();
  request["TableCreationParameters"] = table;
  const Json begun = importer.db.ok("ImportTable", request).at("ImportTableDescription");
  CHECK(begun.at("TableCreationParameters") == table);
  check_completed(importer.described(begun), 1);
  importer.db.ok("CreateTable", with(table, {{"TableName", "Own"}}));
  importer.db.put("Own", {{"pk", {{"S", "a"}}}, {"n", {{"N", "1"}}}});
  const auto described = [&](const char* name) {
    Json description = describe(importer.db, name);
    for (const char* const other : {"TableName", "TableArn", "TableId"}) description.erase(other);
    description["GlobalSecondaryIndexes"][0].erase("IndexArn");
    return description;
  };
  CHECK(described("New") == described("Own"));
}

TEST_CASE("imports: the table has no local indexes") {
  Importer importer;
  Json table = on_demand("New");
  table["AttributeDefinitions"].push_back(attribute("n", "N"));
  table["KeySchema"].push_back(key("n", "RANGE"));
  table["LocalSecondaryIndexes"] =
      Json::array({index_on("here", Json::array({key("pk", "HASH"), key("n", "RANGE")}))});
  check_completed(importer.imported({{"TableCreationParameters", table}}), 0);
  CHECK_FALSE(describe(importer.db, "New").contains("LocalSecondaryIndexes"));
}

TEST_CASE("imports: without a place for objects every bucket is missing") {
  DynamoDb db;
  const Json begun = db.ok("ImportTable", import_request()).at("ImportTableDescription");
  db.jobs().run_due();
  CHECK(db.ok("DescribeImport", {{"ImportArn", begun.at("ImportArn")}})
            .at("ImportTableDescription")
            .at("FailureCode") == "S3NoSuchBucket");
}

TEST_CASE("imports: of two for one name the later one fails") {
  Importer importer;
  importer.put("a", line("a", 1));
  const Json first = importer.begin();
  const bool table_is_there = GENERATE(false, true);
  while (table_is_there && importer.db.call("DescribeTable", R"({"TableName": "New"})").status != 200)
    REQUIRE(importer.db.jobs().run_step());
  const Json second = importer.begin({{"ClientToken", "other"}});
  CHECK(importer.described(first).at("ImportStatus") == "COMPLETED");
  const Json lost = importer.described(second);
  CHECK(lost.at("ImportStatus") == "FAILED");
  CHECK(lost.at("FailureCode") == "TableAlreadyExists");
  CHECK(importer.items() == Json{{"a", 1}});
}

TEST_CASE("imports: a table that is being filled is CREATING, and takes no requests") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = 2s;
  Importer importer(options);
  importer.put("a", line("a", 1));
  const Json begun = importer.begin();
  CHECK(importer.described(begun) == begun);  // the counters, too
  CHECK(begun.at("ImportStatus") == "IN_PROGRESS");
  CHECK(describe(importer.db, "New").at("TableStatus") == "CREATING");
  const auto error = [&](std::string_view operation, Json members) {
    members["TableName"] = "New";
    return importer.db.call(operation, members).error();
  };
  CHECK(error("DeleteTable", {}) == "ResourceInUseException");
  CHECK(error("UpdateTable", {{"BillingMode", "PAY_PER_REQUEST"}}) == "ResourceInUseException");
  CHECK(
      error("UpdateTimeToLive", {{"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "t"}}}}) ==
      "ResourceInUseException");
  CHECK(error("PutItem", {{"Item", {{"pk", {{"S", "a"}}}}}}) == "ResourceNotFoundException");
  CHECK(error("CreateBackup", {{"BackupName", "one"}}) == "ContinuousBackupsUnavailableException");
  CHECK(error("UpdateContinuousBackups",
              {{"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", true}}}}) ==
        "ContinuousBackupsUnavailableException");
  CHECK(importer.db
            .call("TagResource", Json{{"ResourceArn", begun.at("TableArn")},
                                      {"Tags", Json::array({{{"Key", "a"}, {"Value", "b"}}})}})
            .error() == "ResourceNotFoundException");
  importer.db.clock().advance(2s);
  check_completed(importer.described(begun), 1);
  CHECK(describe(importer.db, "New").at("TableStatus") == "ACTIVE");
}

TEST_CASE("imports: reads that lag behind see the table whole, or not at all") {
  dinette::dynamodb::ServiceOptions options;
  options.stale_reads = 500ms;
  Importer importer(options);
  importer.put("a", lines(0, 500));
  const Json begun = importer.begin();
  while (importer.db.jobs().run_step()) importer.db.clock().advance(1ms);
  check_completed(importer.described(begun), 500);
  for (int i = 0; i < 100; ++i) CHECK(importer.items().size() == 500);
}

TEST_CASE("imports: one continues after a restart, at any step, and counts nothing twice") {
  const dinette::base::SystemClock clock;
  const auto store = dinette::objects::make_memory_store(clock);
  REQUIRE(store->create_bucket("source").ok());
  REQUIRE(
      dinette::objects::put(*store, "source", "a", lines(0, 300) + R"({"Item": {}})" + lines(300, 500)).ok());
  REQUIRE(dinette::objects::put(*store, "source", "b", lines(500, 700)).ok());
  dinette::dynamodb::ServiceOptions options;
  options.objects = store.get();
  for (int steps = 0; steps < 12; ++steps) {
    const std::shared_ptr<dinette::kv::Engine> engine = make_test_engine();
    Json begun;
    {
      DynamoDb db(options, engine);
      begun = db.ok("ImportTable", import_request()).at("ImportTableDescription");
      for (int i = 0; i < steps; ++i) db.jobs().run_step();
    }
    DynamoDb db(options, engine);
    db.jobs().run_due();
    const Json import =
        db.ok("DescribeImport", {{"ImportArn", begun.at("ImportArn")}}).at("ImportTableDescription");
    check_failed_items(import, 700, 1);
    CHECK(describe(db, "New").at("ItemCount") == 700);
    CHECK(describe(db, "New").at("TableStatus") == "ACTIVE");
  }
}

TEST_CASE("imports: an object with little in it is not read to its end when the server stops") {
  using dinette::base::Compression;
  Importer importer;
  importer.put("a", dinette::base::compress(Compression::gzip, std::string(1'000'000, '\n') + line("k", 1)));
  const Json begun = importer.begin({{"InputCompressionType", "GZIP"}});
  std::stop_source stop;
  stop.request_stop();
  while (importer.db.jobs().run_step(stop.get_token())) {
  }
  const Json import =
      importer.db.ok("DescribeImport", {{"ImportArn", begun.at("ImportArn")}}).at("ImportTableDescription");
  CHECK(import.at("ImportStatus") == "IN_PROGRESS");
  check_counts(import, 0, 0);
}

TEST_CASE("imports: one goes on after a server that ended at any call about its objects") {
  const dinette::base::SystemClock clock;
  const auto store = dinette::objects::make_memory_store(clock);
  REQUIRE(store->create_bucket("source").ok());
  REQUIRE(dinette::objects::put(*store, "source", "a", lines(0, 200)).ok());
  REQUIRE(dinette::objects::put(*store, "source", "b", lines(200, 300)).ok());
  dinette::dynamodb::ServiceOptions options;
  const auto described = [](DynamoDb& db, const Json& begun) {
    return db.ok("DescribeImport", {{"ImportArn", begun.at("ImportArn")}}).at("ImportTableDescription");
  };
  bool ended = false;
  for (int calls = 0; !ended; ++calls) {
    const std::shared_ptr<dinette::kv::Engine> engine = make_test_engine();
    INFO("after " << calls << " calls");
    Json begun;
    {
      EndingStore ending(*store, calls);
      options.objects = &ending;
      DynamoDb db(options, engine);
      begun = db.ok("ImportTable", import_request()).at("ImportTableDescription");
      db.jobs().run_due();
      ended = described(db, begun).at("ImportStatus") != "IN_PROGRESS";
    }
    options.objects = store.get();
    DynamoDb db(options, engine);
    db.jobs().run_due();
    check_completed(described(db, begun), 300);
    CHECK(describe(db, "New").at("ItemCount") == 300);
    REQUIRE(calls < 40);
  }
}

TEST_CASE("imports: objects are listed in pages, not one by one") {
  const dinette::base::SystemClock clock;
  const auto store = dinette::objects::make_memory_store(clock);
  REQUIRE(store->create_bucket("source").ok());
  for (int i = 0; i < 100; ++i)
    REQUIRE(dinette::objects::put(*store, "source", std::to_string(i), lines(i, i + 1)).ok());
  EndingStore counted(*store, 10'000);
  dinette::dynamodb::ServiceOptions options;
  options.objects = &counted;
  DynamoDb db(options);
  db.ok("ImportTable", import_request());
  db.jobs().run_due();
  CHECK(describe(db, "New").at("ItemCount") == 100);
  CHECK(counted.listings() <= 3);  // to see that there is one, to read them, and at the end
}

TEST_CASE("imports: an object that is gone when the server goes on fails them") {
  const dinette::base::SystemClock clock;
  const auto store = dinette::objects::make_memory_store(clock);
  REQUIRE(store->create_bucket("source").ok());
  REQUIRE(dinette::objects::put(*store, "source", "a", lines(0, 1000)).ok());
  dinette::dynamodb::ServiceOptions options;
  options.objects = store.get();
  const std::shared_ptr<dinette::kv::Engine> engine = make_test_engine();
  Json begun;
  {
    DynamoDb db(options, engine);
    begun = db.ok("ImportTable", import_request()).at("ImportTableDescription");
    for (int i = 0; i < 4; ++i) REQUIRE(db.jobs().run_step());
  }
  REQUIRE(store->remove("source", "a").ok());
  DynamoDb db(options, engine);
  db.jobs().run_due();
  const Json import =
      db.ok("DescribeImport", {{"ImportArn", begun.at("ImportArn")}}).at("ImportTableDescription");
  CHECK(import.at("ImportStatus") == "FAILED");
  CHECK(import.at("FailureCode") == "S3NoSuchKey");
  CHECK(import.at("ImportedItemCount") > 0);
  CHECK(describe(db, "New").at("ItemCount") == import.at("ImportedItemCount"));
}

}  // namespace test::import_jobs_test
