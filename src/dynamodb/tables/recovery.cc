#include "dynamodb/tables/recovery.h"

#include <algorithm>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/point_in_time_recovery_description.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

/// What was written within this time can be restored, but the latest time to restore to is not so late.
constexpr std::chrono::milliseconds latest_lag = std::chrono::minutes(5);

}  // namespace

std::chrono::milliseconds period_of(const api::TableRecovery& recovery, std::chrono::milliseconds longest) {
  return std::min<std::chrono::milliseconds>(std::chrono::days(recovery.period_in_days), longest);
}

RecoveryWindow recovery_window(const api::TableRecovery& recovery, codec::Timestamp now,
                               std::chrono::milliseconds longest) {
  const codec::Timestamp window = now - period_of(recovery, longest);
  return {std::max(recovery.kept_since, window).whole_seconds(),
          std::max(std::max(recovery.enabled.whole_seconds(), now - latest_lag), window.whole_seconds())};
}

api::TableRecovery with_period(api::TableRecovery recovery, std::int32_t days, codec::Timestamp now,
                               std::chrono::milliseconds longest) {
  recovery.kept_since = std::max(recovery.kept_since, now - period_of(recovery, longest));
  recovery.period_in_days = days;
  return recovery;
}

api::ContinuousBackupsDescription describe_recovery(const api::TableRecord& record, codec::Timestamp now,
                                                    std::chrono::milliseconds longest) {
  using api::ContinuousBackupsStatus;
  using api::PointInTimeRecoveryStatus;
  const bool ready = state_at(record, now).status != api::TableStatus::creating;
  api::ContinuousBackupsDescription description;
  description.continuous_backups_status =
      ready ? ContinuousBackupsStatus::enabled : ContinuousBackupsStatus::disabled;
  auto& inner = description.point_in_time_recovery_description.emplace();
  inner.point_in_time_recovery_status = PointInTimeRecoveryStatus::disabled;
  if (!record.recovery) return description;
  const RecoveryWindow window = recovery_window(*record.recovery, now, longest);
  inner.point_in_time_recovery_status = PointInTimeRecoveryStatus::enabled;
  inner.recovery_period_in_days = record.recovery->period_in_days;
  inner.point_in_time_recovery_window_days = record.recovery->period_in_days;
  inner.earliest_restorable_date_time = window.earliest;
  inner.latest_restorable_date_time = window.latest;
  return description;
}

base::Failure<ApiError> backups_not_ready(const api::TableRecord& record) {
  return base::Failure{
      ApiError{api::ErrorCode::continuous_backups_unavailable_exception,
               "Backups are being enabled for the table: " + record.table_name + ". Please retry later"}};
}

}  // namespace dinette::dynamodb
