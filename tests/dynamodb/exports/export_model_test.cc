#include <chrono>
#include <map>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/exports/exports.h"
#include "support/random_seed.h"

// A full export and the incremental ones after it, applied in order by a reader of its own, give the table
// (docs/service/export-import.md section 1).
namespace test::export_model_test {

namespace {

using Items = std::map<std::string, Json>;

class Table {
 public:
  void run() {
    const double begun = seconds();
    db_.DynamoDb::clock().advance(std::chrono::milliseconds(1));  // this moment belongs to both
    write_some();
    db_.DynamoDb::clock().advance(std::chrono::minutes(6));
    const Json full = db_.begin({{"ExportTime", begun}});
    db_.jobs().run_due();
    Items applied = items_of(read_export(db_, db_.description(full)));
    double from = begun;
    for (int round = 0; round < 4; ++round) {
      write_some();
      db_.DynamoDb::clock().advance(std::chrono::seconds(900 + below(3600)));
      if (below(2) == 0) write_some();
      const double to = seconds();
      const Items expected = items();  // of what was written before this moment
      db_.DynamoDb::clock().advance(std::chrono::microseconds(below(3)));
      for (int i = below(4); i > 0; --i) write();
      db_.DynamoDb::clock().advance(std::chrono::minutes(6));
      for (int i = below(4); i > 0; --i) write();
      const Json made = db_.exported(incremental(from, to, below(2) == 0 ? "NEW_IMAGE" : ""));
      apply(read_export(db_, made), applied);
      INFO("round " << round);
      REQUIRE(applied == expected);
      from = to;
    }
  }

 private:
  static void apply(const ReadExport& read, Items& items) {
    for (const std::string& line : read.lines) {
      const Json change = Json::parse(line);
      const std::string pk = change.at("Keys").at("pk").at("S");
      if (change.contains("OldImage")) CHECK(items.at(pk) == change.at("OldImage"));
      if (change.contains("NewImage"))
        items[pk] = change.at("NewImage");
      else
        CHECK(items.erase(pk) == 1);
    }
  }

  void write_some() {
    for (int i = below(12); i > 0; --i) {
      write();
      if (below(2) == 0) db_.DynamoDb::clock().advance(std::chrono::microseconds(below(2'000'000)));
    }
    // Windows begin and end on milliseconds, as they are sent.
    const auto now = std::chrono::ceil<std::chrono::milliseconds>(db_.DynamoDb::clock().now());
    db_.DynamoDb::clock().set(now + std::chrono::milliseconds(1));
  }

  void write() {
    const std::string pk = std::to_string(below(15));
    const Json key = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", pk}}}}}};
    if (below(3) == 0) return void(db_.ok("DeleteItem", key));
    db_.put("Music", {{"pk", {{"S", pk}}}, {"n", {{"N", std::to_string(++written_)}}}, {"v", value()}});
  }

  Json value() {
    switch (below(8)) {
      case 0:
        return {{"S", ""}};
      case 1:
        return {{"N", "-0.00000000012345678901234567890123456789012345678"}};
      case 2:
        return {{"B", "AP8="}};
      case 3:
        return {{"SS", {"a", "é"}}};
      case 4:
        return {{"NS", {"1", "99999999999999999999999999999999999999"}}};
      case 5:
        return {{"BS", {"AA==", "AQ=="}}};
      case 6:
        return {{"M", {{"l", {{"L", {{{"NULL", true}}, {{"BOOL", false}}}}}}}}};
      default:
        return {{"L", Json::array()}};
    }
  }

  Items items() {
    Items found;
    const Json page = db_.ok("Scan", {{"TableName", "Music"}, {"ConsistentRead", true}});
    for (const Json& item : page.at("Items")) found[item.at("pk").at("S")] = item;
    return found;
  }

  double seconds() {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(db_.DynamoDb::clock().now());
    return static_cast<double>(now.time_since_epoch().count()) / 1000;
  }

  int below(int bound) { return std::uniform_int_distribution(0, bound - 1)(random_); }

  Exporting db_;
  std::mt19937_64 random_{dinette::test::random_seed()};
  int written_ = 0;
};

}  // namespace

TEST_CASE("exports: a full one and the changes since then give the table") {
  const int rounds = dinette::test::rounds_of(20);
  for (int round = 0; round < rounds; ++round) Table().run();
}

}  // namespace test::export_model_test
