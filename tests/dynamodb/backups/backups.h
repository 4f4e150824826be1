#pragma once

#include <string>
#include <string_view>

#include "support/tables.h"

/// Tables with point-in-time recovery and backups, and what they say. The clock stands at 1791633600 unless a
/// case moves it.
namespace test {

inline constexpr double start_of_test = 1791633600;

/// Tables stay CREATING and DELETING for two seconds.
dinette::dynamodb::ServiceOptions two_second_states();

/// The body of an UpdateContinuousBackups.
Json recovery(bool enabled, std::string_view table = "Music");
/// Enables point-in-time recovery.
void recover(DynamoDb& db, std::string_view table = "Music");
/// What DescribeContinuousBackups says.
Json continuous_backups(DynamoDb& db, std::string_view table = "Music");

/// The body of a RestoreTableToPointInTime of `Music` to the table `Copy`, to its latest time.
Json restore_latest();
/// The same to a moment.
Json restore_at(double seconds);
/// Restores to the present, by the clock.
Json restore_now(DynamoDb& db);

/// Makes a backup of a table. Returns its BackupDetails.
Json back_up(DynamoDb& db, std::string_view table = "Music", std::string_view name = "before");
/// Makes a backup and waits for it. Returns its ARN.
std::string backup_arn(DynamoDb& db, std::string_view table = "Music", std::string_view name = "before");
/// What DescribeBackup says.
Json describe_backup(DynamoDb& db, const std::string& arn);
/// The body of a RestoreTableFromBackup to the table `Copy`.
Json restore_from(const std::string& arn);
/// The summaries of all pages of ListBackups.
Json backups(DynamoDb& db, const Json& request = Json::object());

/// Has an item put whose attribute `n` is a number.
void put_number(DynamoDb& db, std::string_view pk, int n, std::string_view table = "Music");
/// All items of a table by pk, `{"a": 1}`, with their numbers.
Json numbers(DynamoDb& db, std::string_view table = "Copy");

/// Moves the clock.
void set_clock(DynamoDb& db, double seconds);

/// Does what is to be done behind the answers, and then describes the restored table.
Json restored(DynamoDb& db, std::string_view table = "Copy");

}  // namespace test
