#include <memory>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/exports/exports.h"
#include "dynamodb/exports/failing_store.h"
#include "support/engines.h"

// How exports go on behind the answers (docs/service/export-import.md section 1).
namespace test::export_jobs_test {

using namespace std::chrono_literals;
using namespace dinette;

namespace {

Json begin(DynamoDb& db, const Json& changes = Json::object()) {
  return db.ok("ExportTableToPointInTime", export_request(changes)).at("ExportDescription");
}

Json describe_export(DynamoDb& db, const Json& of) {
  return db.ok("DescribeExport", {{"ExportArn", of.at("ExportArn")}}).at("ExportDescription");
}

bool has_summary(const Buckets& buckets) {
  for (const std::string& key : buckets.keys())
    if (key.ends_with("manifest-summary.json")) return true;
  return false;
}

void fill(DynamoDb& db) {
  for (int i = 0; i < 1200; ++i) put_number(db, std::to_string(i), 1);
}

}  // namespace

TEST_CASE("export job: continues after a restart, at any step") {
  const std::shared_ptr<kv::Engine> engine = make_test_engine();
  {
    DynamoDb db({}, engine);
    db.ok("CreateTable", on_demand());
    recover(db);
    fill(db);
    db.jobs().run_due();
  }
  for (int steps = 0; steps < 6; ++steps) {
    const Buckets buckets;
    Json begun;
    {
      DynamoDb db(buckets.options(), engine, dynamodb::face(), static_cast<std::uint64_t>(steps) + 2);
      db.jobs().run_due();
      begun = begin(db);
      put_number(db, "new" + std::to_string(steps), 2);
      for (int i = 0; i < steps; ++i) db.jobs().run_step();
      CHECK(has_summary(buckets) == (describe_export(db, begun).at("ExportStatus") == "COMPLETED"));
    }
    DynamoDb db(buckets.options(), engine);
    db.jobs().run_due();
    const auto items = items_of(read_export(buckets, describe_export(db, begun)));
    CHECK(items.size() == 1200U + static_cast<std::size_t>(steps));
    CHECK_FALSE(items.contains("new" + std::to_string(steps)));
    CHECK(buckets.keys().size() == 9);  // nothing else, of the first run
  }
}

TEST_CASE("export job: the table may be deleted, recovery disabled or shortened meanwhile") {
  for (const int way : {0, 1, 2, 3}) {
    Exporting db;
    fill(db);
    set_clock(db, start_of_test + 11'100);
    const Json full = db.begin();
    const Json window = db.begin(incremental(start_of_test + 9'900, start_of_test + 10'800));
    for (int i = 0; i < 4; ++i) db.jobs().run_step();
    if (way == 1 || way == 2) db.ok("UpdateContinuousBackups", recovery(false));
    if (way < 2) db.ok("DeleteTable", {{"TableName", "Music"}});
    if (way == 3) {
      Json days = recovery(true);
      days["PointInTimeRecoverySpecification"]["RecoveryPeriodInDays"] = 1;
      db.ok("UpdateContinuousBackups", days);
      for (int i = 0; i < 1200; ++i) put_number(db, std::to_string(i), 2);
      db.DynamoDb::clock().advance(std::chrono::days(3));
    }
    INFO("way " << way);
    db.jobs().run_due();
    const auto items = items_of(read_export(db, db.description(full)));
    CHECK(items.size() == 1200);
    for (const auto& [pk, item] : items) REQUIRE(item.at("n").at("N") == "1");
    CHECK(read_export(db, db.description(window)).lines.size() == 1200);
  }
}

TEST_CASE("export job: a table that is deleted can still be exported while it is DELETING") {
  Exporting db(on_demand(), two_second_states());
  put_number(db, "a", 1);
  db.ok("DeleteTable", {{"TableName", "Music"}});
  const Json begun = db.begin();
  db.DynamoDb::clock().advance(3s);
  db.jobs().run_due();
  CHECK(items_of(read_export(db, db.description(begun))).size() == 1);
  CHECK(db.call("ExportTableToPointInTime", export_request()).error() == "TableNotFoundException");
}

TEST_CASE("export job: others have their turn") {
  Exporting db;
  fill(db);
  const Json first = db.begin();
  const Json second = db.begin();
  int turns = 0;
  while (db.description(first).at("ExportStatus") == "IN_PROGRESS" ||
         db.description(second).at("ExportStatus") == "IN_PROGRESS") {
    REQUIRE(db.jobs().run_step());
    ++turns;
  }
  CHECK(turns >= 8);
  CHECK(items_of(read_export(db, db.description(first))) ==
        items_of(read_export(db, db.description(second))));
}

TEST_CASE("export job: an object that is refused fails the export, which is never whole then") {
  using objects::ErrorKind;
  for (int calls = 0; calls < 9; ++calls) {
    const Buckets buckets;
    FailingStore failing(*buckets.store, calls, ErrorKind::access_denied);
    dynamodb::ServiceOptions options;
    options.objects = &failing;
    DynamoDb db(options);
    db.ok("CreateTable", on_demand());
    recover(db);
    put_number(db, "a", 1);
    const Json begun = begin(db);
    db.jobs().run_due();
    const Json ended = describe_export(db, begun);
    INFO("after " << calls << " calls");
    CHECK(ended.at("ExportStatus") == "FAILED");
    CHECK(ended.at("FailureCode") == "S3AccessDenied");
    CHECK_FALSE(has_summary(buckets));
    if (calls == 1) CHECK((buckets.keys().size() == 1 && buckets.keys().front().ends_with("/_started")));
  }
}

TEST_CASE("export job: a server that ends while it writes an object begins it again at its next start") {
  for (int calls = 0; calls < 9; ++calls) {
    const std::shared_ptr<kv::Engine> engine = make_test_engine();
    const Buckets buckets;
    Json begun;
    {
      FailingStore ending(*buckets.store, calls, objects::ErrorKind::stopped);
      dynamodb::ServiceOptions options;
      options.objects = &ending;
      DynamoDb db(options, engine);
      db.ok("CreateTable", on_demand());
      recover(db);
      put_number(db, "a", 1);
      begun = begin(db);
      db.jobs().run_due();
      CHECK(describe_export(db, begun).at("ExportStatus") == "IN_PROGRESS");
    }
    INFO("after " << calls << " calls");
    DynamoDb db(buckets.options(), engine);
    db.jobs().run_due();
    CHECK(items_of(read_export(buckets, describe_export(db, begun))).size() == 1);
  }
}

TEST_CASE("export job: keys that are too long, and disks that fail") {
  Exporting db;
  const Json made = db.exported({{"S3Prefix", std::string(1000, 'p')}});
  CHECK(made.at("FailureCode") == "S3KeyTooLongError");
  const Buckets buckets;
  FailingStore failing(*buckets.store, 0, objects::ErrorKind::failed);
  dynamodb::ServiceOptions options;
  options.objects = &failing;
  DynamoDb full(options);
  full.ok("CreateTable", on_demand());
  recover(full);
  const Json begun = begin(full);
  full.jobs().run_due();
  CHECK(describe_export(full, begun).at("FailureCode") == "S3InternalError");
}

TEST_CASE("export job: consumes no capacity, and leaves nothing of itself in the table") {
  Exporting db;
  put_number(db, "a", 1);
  const Json before = describe(db);
  db.exported();
  CHECK(describe(db) == before);
  db.ok("UpdateContinuousBackups", recovery(false));
  auto& store = db.worlds().pick("").value()->store(dynamodb::face().id);
  const auto table = store.catalog().open("Music").value();
  const auto view = store.view().value();
  auto versions = view.scan(*table, store::Area::versions(), {}, store::Direction::forward).value();
  CHECK_FALSE(versions.next().value());
}

}  // namespace test::export_jobs_test
