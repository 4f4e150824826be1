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
RecoveryWindow recovery_window(const api::TableRecovery& recovery, codec::Timestamp now);

/// Returns how far back a table can be restored.
std::chrono::milliseconds period_of(const api::TableRecovery& recovery);

/// Returns what the setting becomes when its period changes: what is not kept any more does not come back.
api::TableRecovery with_period(api::TableRecovery recovery, std::int32_t days, codec::Timestamp now);

/// Returns how UpdateContinuousBackups and DescribeContinuousBackups show a table.
api::ContinuousBackupsDescription describe_recovery(const api::TableRecord& record, codec::Timestamp now);

/// Returns ContinuousBackupsUnavailableException: a table is too new.
base::Failure<ApiError> backups_not_ready(const api::TableRecord& record);

}  // namespace dinette::dynamodb
