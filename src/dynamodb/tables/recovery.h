#pragma once

#include <chrono>

#include "dynamodb/api/continuous_backups_description.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/request/api_error.h"

/// Point-in-time recovery (docs/service/backups-pitr.md section 2). While a table has it, the store keeps the
/// former values of its rows.
namespace dinette::dynamodb {

/// From when to when a table can be restored.
struct RecoveryWindow {
  codec::Timestamp earliest;
  codec::Timestamp latest;
};
RecoveryWindow recovery_window(const api::TableRecovery& recovery, codec::Timestamp now,
                               std::chrono::milliseconds longest);

/// Returns how far back a table can be restored: its own period, but `longest` at most, which is of the
/// server (Settings::recovery_window).
std::chrono::milliseconds period_of(const api::TableRecovery& recovery, std::chrono::milliseconds longest);

/// Returns the setting with a new period. A longer one does not bring back what was removed already.
api::TableRecovery with_period(api::TableRecovery recovery, std::int32_t days, codec::Timestamp now,
                               std::chrono::milliseconds longest);

/// Returns how UpdateContinuousBackups and DescribeContinuousBackups show a table.
api::ContinuousBackupsDescription describe_recovery(const api::TableRecord& record, codec::Timestamp now,
                                                    std::chrono::milliseconds longest);

/// Returns ContinuousBackupsUnavailableException: a table is too new.
base::Failure<ApiError> backups_not_ready(const api::TableRecord& record);

}  // namespace dinette::dynamodb
