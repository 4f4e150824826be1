#include "kinesis/streams/retention_change.h"

#include <string>

#include "kinesis/api/limits.h"
#include "kinesis/streams/stream_upkeep.h"

namespace dinette::kinesis {
namespace {

std::string in_brackets(std::int32_t hours) {
  return "(" + std::to_string(hours) + " hours)";
}

Answer<void> check_hours(std::int32_t hours) {
  using namespace model::limits;
  const auto refuse = [&](const char* which, int limit, const char* why) {
    return invalid_argument(std::string(which) + " allowed retention period is " + std::to_string(limit) +
                            " hours. Requested retention period " + in_brackets(hours) + " is too " + why +
                            ".");
  };
  if (hours < least_retention_hours) return refuse("Minimum", least_retention_hours, "short");
  if (hours > most_retention_hours) return refuse("Maximum", most_retention_hours, "long");
  return {};
}

}  // namespace

Answer<void> change_retention(const Context& context, const StreamName& name, std::int32_t hours,
                              RetentionChange change) {
  DINETTE_TRY(const OpenStream stream, open_stream(context, name));
  DINETTE_CHECK(check_hours(hours));
  const bool increase = change == RetentionChange::increase;
  const auto set = [&](api::StreamRecord& record) -> Answer<void> {
    DINETTE_CHECK(check_active(context, record));
    const std::int32_t before = record.retention_hours;
    if (increase ? hours < before : hours > before) {
      return invalid_argument("Requested retention period " + in_brackets(hours) + " for stream " +
                              record.name + " can not be " + (increase ? "shorter" : "longer") +
                              " than existing retention period " + in_brackets(before) + ". Use " +
                              (increase ? "Decrease" : "Increase") + "RetentionPeriod API.");
    }
    record.retention_hours = hours;
    begin_update(context, record);
    return {};
  };
  DINETTE_TRY(const OpenStream changed, change_stream(context, stream, set));
  keep_stream(context.store, context.jobs, *changed.table);
  return {};
}

}  // namespace dinette::kinesis
