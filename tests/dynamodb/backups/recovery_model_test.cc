#include <chrono>
#include <map>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "dynamodb/backups/backups.h"
#include "support/random_seed.h"

// Point-in-time recovery next to a model that keeps the whole table at each change.
namespace test::recovery_model_test {

using namespace std::chrono_literals;

namespace {

constexpr int keys = 12;

class Recovered {
 public:
  Recovered() {
    db_.ok("CreateTable", on_demand());
    set_days(days_);
    keep();
  }

  /// Some writes, then some time.
  void go_on() {
    for (int writes = below(6); writes > 0; --writes) write();
    db_.clock().advance(std::chrono::milliseconds(below(3) == 0 ? below(20 * 3600 * 1000) : below(90'000)));
    if (below(3) == 0) db_.jobs().run_due();
    if (below(60) == 0) set_days(1 + below(3));
  }

  /// Restores to a second of the window and compares.
  void check() {
    const auto inner = continuous_backups(db_).at("PointInTimeRecoveryDescription");
    const auto earliest = inner.at("EarliestRestorableDateTime").get<std::int64_t>();
    const std::int64_t now = milliseconds() / 1000;
    const std::int64_t second = earliest + below(static_cast<int>(now - earliest + 1));
    db_.ok("RestoreTableToPointInTime", restore_at(static_cast<double>(second)));
    db_.clock().advance(1ms);
    const int steps = below(3);
    for (int i = 0; i < steps; ++i) db_.jobs().run_step();
    write();
    restored(db_);
    INFO("restored to " << second);
    REQUIRE(numbers(db_) == state_at(second * 1000));
    db_.ok("DeleteTable", {{"TableName", "Copy"}});
  }

  int below(int bound) { return std::uniform_int_distribution(0, bound - 1)(random_); }

 private:
  void set_days(int days) {
    days_ = days;
    Json request = recovery(true);
    request["PointInTimeRecoverySpecification"]["RecoveryPeriodInDays"] = days;
    db_.ok("UpdateContinuousBackups", request);
  }

  void write() {
    const std::string pk = std::to_string(below(keys));
    switch (below(4)) {
      case 0:
        db_.ok("DeleteItem", with_key(pk));
        items_.erase(pk);
        break;
      case 1:
        put_number(db_, pk, ++written_);
        items_[pk] = written_;
        break;
      case 2:
        db_.ok("UpdateItem",
               with(with_key(pk), {{"UpdateExpression", "SET n = :n"},
                                   {"ExpressionAttributeValues", {{":n", number(++written_)}}}}));
        items_[pk] = written_;
        break;
      default:
        transact(pk, std::to_string(keys + below(keys)));
    }
    keep();
  }

  /// Deletes one item and puts another one.
  void transact(const std::string& deleted, const std::string& put) {
    const Json item = {{"pk", {{"S", put}}}, {"n", number(++written_)}};
    const Json actions = {{{"Delete", with_key(deleted)}},
                          {{"Put", {{"TableName", "Music"}, {"Item", item}}}}};
    db_.ok("TransactWriteItems", {{"TransactItems", actions}});
    items_.erase(deleted);
    items_[put] = written_;
  }

  static Json with_key(const std::string& pk) {
    return {{"TableName", "Music"}, {"Key", {{"pk", {{"S", pk}}}}}};
  }
  static Json number(int n) { return {{"N", std::to_string(n)}}; }

  void keep() { states_[milliseconds()] = items_; }

  std::int64_t milliseconds() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(db_.clock().now().time_since_epoch())
        .count();
  }

  Json state_at(std::int64_t moment) const {
    const auto later = states_.upper_bound(moment);
    return later == states_.begin() ? Json::object() : std::prev(later)->second;
  }

  DynamoDb db_;
  std::mt19937_64 random_{dinette::test::random_seed()};
  int days_ = 2;
  int written_ = 0;
  Json items_ = Json::object();
  std::map<std::int64_t, Json> states_;  ///< the table after each change, by the milliseconds of its moment
};

}  // namespace

TEST_CASE("recovery: any second of the last days can be restored, and equals what the table was") {
  Recovered table;
  const int rounds = dinette::test::rounds_of(600);
  for (int round = 0; round < rounds; ++round) {
    table.go_on();
    if (table.below(5) == 0) table.check();
  }
}

}  // namespace test::recovery_model_test
