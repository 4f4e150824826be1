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

Json back_up(DynamoDb& db, std::string_view table, std::string_view name) {
  return db.ok("CreateBackup", {{"TableName", table}, {"BackupName", name}}).at("BackupDetails");
}

std::string backup_arn(DynamoDb& db, std::string_view table, std::string_view name) {
  const std::string arn = back_up(db, table, name).at("BackupArn");
  db.jobs().run_due();
  return arn;
}

Json describe_backup(DynamoDb& db, const std::string& arn) {
  return db.ok("DescribeBackup", {{"BackupArn", arn}}).at("BackupDescription");
}

Json restore_from(const std::string& arn) {
  return {{"TargetTableName", "Copy"}, {"BackupArn", arn}};
}

Json backups(DynamoDb& db, const Json& request) {
  Json all = Json::array();
  Json next = request;
  for (;;) {
    const Json page = db.ok("ListBackups", next);
    for (const Json& backup : page.at("BackupSummaries")) all.push_back(backup);
    if (!page.contains("LastEvaluatedBackupArn")) return all;
    next["ExclusiveStartBackupArn"] = page.at("LastEvaluatedBackupArn");
  }
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
