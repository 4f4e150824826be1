#include "dynamodb/deliveries/destination_changes.h"

#include <utility>

#include "dynamodb/deliveries/destination_lane.h"
#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/tables/kinesis_destinations.h"

namespace dinette::dynamodb {

Answer<void> change_destinations(const Context& context, const OpenTable& table, EditDestinations edit) {
  Answer<std::optional<api::DestinationLog>> edited = std::optional<api::DestinationLog>();
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    api::TableRecord record = current.schema_as<TableSchema>().record();
    edited = edit(record);
    if (!edited) return std::nullopt;
    store::TableUpdate update(encode_record(record));
    if (*edited) update.entries.push_back(write_of(**edited));
    return update;
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, decide));
  if (!updated) return table_not_found(table.table->name);
  DINETTE_TRY(const std::optional<api::DestinationLog> log, std::move(edited));
  if (log) deliver_changes(context.world, context.store, context.settings.kinesis, *log);
  return {};
}

std::vector<api::DestinationLog> end_logs(api::TableRecord& record) {
  std::vector<api::DestinationLog> ended;
  if (!record.kinesis_destinations) return ended;
  for (api::KinesisDestination& destination : *record.kinesis_destinations) {
    if (!destination.log_id) continue;
    ended.push_back(new_log(record, destination));
    ended.back().ended = true;
    destination.log_id.reset();
  }
  return ended;
}

base::Failure<ApiError> not_in_valid_state(const std::string& sentence) {
  return validation("Table is not in a valid state to enable Kinesis Streaming Destination: " + sentence);
}

}  // namespace dinette::dynamodb
