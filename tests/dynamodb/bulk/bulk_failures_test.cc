#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/verify.h"

#include "dynamodb/bulk/bulk.h"
#include "dynamodb/exports/failing_store.h"
#include "support/engines.h"

// Bulk operations whose objects or data fail them.
namespace test::bulk_failures_test {

using namespace dinette;

namespace {

struct BulkBuckets : Buckets {
  BulkBuckets() {
    REQUIRE(store->create_bucket("source").ok());
    REQUIRE(store->create_bucket("reports").ok());
  }
};

Json begin(DynamoDb& db) {
  return db.ok("StartBulkPutItems", bulk_request()).at("BulkOperationDescription");
}

Json described(DynamoDb& db, const Json& of) {
  return db.ok("DescribeBulkOperation", {{"BulkOperationArn", of.at("BulkOperationArn")}})
      .at("BulkOperationDescription");
}

}  // namespace

TEST_CASE("bulk operations: a bucket that refuses a report fails them, and nothing of the report stays") {
  const std::string lines = bulk_lines(0, 3) + R"({"Item": {}})" + bulk_line("k1", 9, if_new());
  // What is written: _started, two data files, _started, two manifests with their digests.
  for (int taken = 0; taken <= 8; ++taken) {
    INFO("after " << taken << " objects");
    const BulkBuckets buckets;
    REQUIRE(objects::put(*buckets.store, "source", "a", lines).ok());
    FailingStore full(*buckets.store, taken, objects::ErrorKind::access_denied);
    dynamodb::ServiceOptions options;
    options.objects = &full;
    DynamoDb db(options);
    db.ok("CreateTable", on_demand());
    const Json begun = begin(db);
    db.jobs().run_due();
    const Json done = described(db, begun);
    if (taken == 8) {
      CHECK(done.at("BulkOperationStatus") == "COMPLETED_WITH_ERRORS");
      continue;
    }
    CHECK(done.at("BulkOperationStatus") == "FAILED");
    CHECK(done.at("FailureCode") == "S3AccessDenied");
    check_counts(done, taken == 0 ? 0 : 5, taken == 0 ? 0 : 1);
    CHECK(db.ok("Scan", {{"TableName", "Music"}}).at("Count") == (taken == 0 ? 0 : 3));
  }
}

TEST_CASE("bulk operations: what is cancelled is so, also if its report cannot be written") {
  const BulkBuckets buckets;
  REQUIRE(objects::put(*buckets.store, "source", "a", R"({"Item": {}})" + bulk_lines(0, 1000)).ok());
  FailingStore full(*buckets.store, 1, objects::ErrorKind::access_denied);
  dynamodb::ServiceOptions options;
  options.objects = &full;
  DynamoDb db(options);
  db.ok("CreateTable", on_demand());
  const Json begun = begin(db);
  while (described(db, begun).at("ProcessedItemCount") == 0) REQUIRE(db.jobs().run_step());
  db.ok("CancelBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}});
  db.jobs().run_due();
  CHECK(described(db, begun).at("BulkOperationStatus") == "CANCELLED");
}

TEST_CASE("bulk operations: a table that is changed between the reading of items and their commit") {
  const BulkBuckets buckets;
  REQUIRE(objects::put(*buckets.store, "source", "a", bulk_lines(0, 300)).ok());
  FailingStore changing(*buckets.store, 100, objects::ErrorKind::access_denied);
  dynamodb::ServiceOptions options;
  options.objects = &changing;
  DynamoDb db(options);
  db.ok("CreateTable", on_demand());
  const Json begun = begin(db);
  bool changed = false;
  changing.opened = [&] {
    if (std::exchange(changed, true)) return;
    db.ok("UpdateTable", {{"TableName", "Music"},
                          {"AttributeDefinitions", Json::array({attribute("pk", "S"), attribute("n", "N")})},
                          {"GlobalSecondaryIndexUpdates",
                           Json::array({{{"Create", index_on("byN", Json::array({key("n", "HASH")}))}}})}});
  };
  db.jobs().run_due();
  check_counts(described(db, begun), 300, 0);
  CHECK(described(db, begun).at("BulkOperationUsage").at(0).contains("GlobalSecondaryIndexes"));
  CHECK(describe(db).at("ItemCount") == 300);
  CHECK(describe(db).at("GlobalSecondaryIndexes").at(0).at("ItemCount") == 300);
}

TEST_CASE("bulk operations: an object that is gone when the server continues fails them") {
  const std::shared_ptr<kv::Engine> engine = make_test_engine();
  const BulkBuckets buckets;
  REQUIRE(objects::put(*buckets.store, "source", "a", bulk_lines(0, 1000)).ok());
  Json begun;
  {
    DynamoDb db(buckets.options(), engine);
    db.ok("CreateTable", on_demand());
    begun = begin(db);
    while (described(db, begun).at("ProcessedItemCount") == 0) REQUIRE(db.jobs().run_step());
  }
  REQUIRE(buckets.store->remove("source", "a").ok());
  DynamoDb db(buckets.options(), engine);
  db.jobs().run_due();
  const Json done = described(db, begun);
  CHECK(done.at("BulkOperationStatus") == "FAILED");
  CHECK(done.at("FailureCode") == "S3NoSuchKey");
  CHECK(db.ok("Scan", {{"TableName", "Music"}}).at("Count") == done.at("ProcessedItemCount"));
  CHECK(read_reports(buckets, done).errors.empty());
}

TEST_CASE("bulk operations: a bucket that goes meanwhile fails them, and the items that were put stay") {
  Bulk db;
  db.source("a", bulk_lines(0, 1000));
  const Json begun = db.begin();
  while (db.numbers().empty()) REQUIRE(db.jobs().run_step());
  REQUIRE(db.store->remove("source", "a").ok());
  REQUIRE(db.store->remove_bucket("source").ok());
  const Json done = db.ended(begun);
  CHECK(done.at("BulkOperationStatus") == "FAILED");
  CHECK(done.at("FailureCode") == "S3NoSuchBucket");
  check_counts(done, 1000, 0);
  CHECK(db.numbers().size() == 1000);
  CHECK(read_reports(db, done).errors.empty());
}

TEST_CASE("bulk operations: a cancelled one is still cancelled after a restart") {
  const std::shared_ptr<kv::Engine> engine = make_test_engine();
  const BulkBuckets buckets;
  REQUIRE(objects::put(*buckets.store, "source", "a", bulk_lines(0, 1000)).ok());
  Json begun;
  {
    DynamoDb db(buckets.options(), engine);
    db.ok("CreateTable", on_demand());
    begun = begin(db);
    db.ok("CancelBulkOperation", {{"BulkOperationArn", begun.at("BulkOperationArn")}});
  }
  DynamoDb db(buckets.options(), engine);
  CHECK(described(db, begun).at("BulkOperationStatus") == "CANCELLING");
  db.jobs().run_due();
  CHECK(described(db, begun).at("BulkOperationStatus") == "CANCELLED");
  CHECK(db.ok("Scan", {{"TableName", "Music"}}).at("Count") == 0);
}

TEST_CASE("bulk operations: what the check of data says of damage") {
  Bulk db;
  db.leave_damage();
  db.source("a", R"({"Item": {}})" + bulk_lines(0, 1000));
  const Json begun = db.begin();
  while (db.numbers().empty()) REQUIRE(db.jobs().run_step());
  auto& world = *db.worlds().pick("").value();
  const auto faults = [&] {
    std::vector<std::string> found;
    const auto report = [&](std::string fault) { found.push_back(std::move(fault)); };
    REQUIRE(dynamodb::verify_data(world, report, [](const auto&) {}).ok());
    return found;
  };
  auto& kept = world.store(dynamodb::face().id);
  const auto put = [&](std::uint32_t space, const std::string& key, const kv::Value& value) {
    const auto target = dinette::store::WriteTarget::entry(dinette::store::SpaceId{space}, key);
    const auto decide = [&](const auto&, dinette::store::RowChanges changes) {
      using Row = dinette::store::RowChange::Row;
      changes[0].row = value ? Row::put : Row::erase;
      changes[0].value = value;
      return true;
    };
    REQUIRE(kept.write(std::span(&target, 1), decide).ok());
  };
  const auto first_in = [&](std::uint32_t space) {
    const auto view = kept.view().value();
    auto cursor = view.scan(dinette::store::SpaceId{space}, {}, dinette::store::Direction::forward).value();
    REQUIRE(cursor.next().value());
    return std::pair(std::string(cursor.key()), cursor.shared_value());
  };
  CHECK(faults().empty());
  const auto operation = first_in(9);
  const auto table = first_in(11);
  const auto line = first_in(12);
  put(12, line.first, {});
  CHECK(faults().size() == 2);
  put(12, line.first, line.second);
  put(12, "x", line.second);
  CHECK(faults().size() == 1);
  put(12, "x", {});
  put(11, table.first, {});
  CHECK(faults().size() == 2);
  put(11, table.first, table.second);
  put(9, "x", operation.second);
  CHECK_FALSE(faults().empty());
  put(9, "x", {});
  put(9, operation.first, kv::Value("{}"));
  CHECK(faults().size() == 1);
  put(9, operation.first, operation.second);
  CHECK(faults().empty());
}

}  // namespace test::bulk_failures_test
