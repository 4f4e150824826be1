#include "dynamodb/backups/backups.h"

#include <chrono>
#include <cmath>

namespace test {

dinette::dynamodb::ServiceOptions two_second_states() {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::seconds(2);
  return options;
}

Json recovery(bool enabled, std::string_view table) {
  return {{"TableName", table},
          {"PointInTimeRecoverySpecification", {{"PointInTimeRecoveryEnabled", enabled}}}};
}

void recover(DynamoDb& db, std::string_view table) {
  db.ok("UpdateContinuousBackups", recovery(true, table));
}

Json continuous_backups(DynamoDb& db, std::string_view table) {
  return db.ok("DescribeContinuousBackups", {{"TableName", table}}).at("ContinuousBackupsDescription");
}

Json restore_latest() {
  return {{"SourceTableName", "Music"}, {"TargetTableName", "Copy"}, {"UseLatestRestorableTime", true}};
}

Json restore_at(double seconds) {
  return {{"SourceTableName", "Music"}, {"TargetTableName", "Copy"}, {"RestoreDateTime", seconds}};
}

Json restore_now(DynamoDb& db) {
  const auto now = std::chrono::duration<double>(db.clock().now().time_since_epoch()).count();
  return db.ok("RestoreTableToPointInTime", restore_at(now)).at("TableDescription");
}

void put_number(DynamoDb& db, std::string_view pk, int n, std::string_view table) {
  db.put(table, {{"pk", {{"S", pk}}}, {"n", {{"N", std::to_string(n)}}}});
}

Json numbers(DynamoDb& db, std::string_view table) {
  Json all = Json::object();
  const Json page = db.ok("Scan", {{"TableName", table}});
  for (const Json& item : page.at("Items"))
    all[item.at("pk").at("S").get<std::string>()] = std::stoi(item.at("n").at("N").get<std::string>());
  return all;
}

void set_clock(DynamoDb& db, double seconds) {
  const auto now = std::chrono::microseconds(std::llround(seconds * 1e6));
  db.clock().set(dinette::base::TimePoint(now));
}

Json restored(DynamoDb& db, std::string_view table) {
  db.jobs().run_due();
  return describe(db, table);
}

}  // namespace test
