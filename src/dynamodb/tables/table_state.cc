#include "dynamodb/tables/table_state.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_transition.h"

namespace dinette::dynamodb {
namespace {

std::string_view in_words(api::TableStatus status) {
  switch (status) {
    case api::TableStatus::creating:
      return "created";
    case api::TableStatus::deleting:
      return "deleted";
    default:
      return "updated";
  }
}

}  // namespace

bool is_during(codec::Timestamp now, codec::Timestamp begun, codec::Timestamp until) {
  return now >= begun && now < until;
}

bool is_during(codec::Timestamp now, const api::TableTransition& transition) {
  constexpr codec::Timestamp not_recorded{std::numeric_limits<std::int64_t>::min()};
  return is_during(now, transition.begun.value_or(not_recorded), transition.until);
}

TableState state_at(const api::TableRecord& record, codec::Timestamp now) {
  if (!record.transition) return {api::TableStatus::active, record.settings, record.settings};
  const api::TableTransition& transition = *record.transition;
  const bool over = !is_during(now, transition) && !record.filling && !record.import_key &&
                    !(record.replication && (record.replication->filling || record.replication->leaving));
  if (!over) return {transition.status, record.settings, transition.settings};
  const bool gone = transition.status == api::TableStatus::deleting;
  return {api::TableStatus::active, transition.settings, transition.settings, gone};
}

bool is_restoring(const api::TableRecord& record, codec::Timestamp now) {
  return record.restore && state_at(record, now).status == api::TableStatus::creating;
}

base::Failure<ApiError> still_in_use(std::string_view why) {
  return base::Failure{ApiError{api::ErrorCode::resource_in_use_exception,
                                "Attempt to change a resource which is still in use: " + std::string(why)}};
}

base::Failure<ApiError> still_in_use(const api::TableRecord& record, api::TableStatus status) {
  return still_in_use("Table is being " + std::string(in_words(status)) + ": " + record.table_name);
}

}  // namespace dinette::dynamodb
