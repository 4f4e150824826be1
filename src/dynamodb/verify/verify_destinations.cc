#include "dynamodb/verify/verify_destinations.h"

#include <string>

#include "dynamodb/api/table_record.h"
#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/tables/kinesis_destinations.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/verify/verify_entries.h"

namespace dinette::dynamodb {
namespace {

std::string log_name(const api::DestinationLog& log) {
  return "the log " + std::to_string(log.log_id) + " of " + log.table_name + " for " + log.stream_arn;
}

kv::Result<void> verify_records(const store::View& view, const api::DestinationLog& log, Findings& findings) {
  DINETTE_TRY(store::StreamCursor records, view.read_stream(records_of(log)));
  for (;;) {
    DINETTE_TRY(const bool more, records.next());
    if (!more) return {};
    ++findings.verified.stream_records;
    findings.advance();
    if (!read_change(records.record())) findings.fault("a record of " + log_name(log) + " cannot be read");
  }
}

/// Returns true if writes of its table record changes in this log.
kv::Result<bool> is_recorded_in(store::Store& store, const api::DestinationLog& log) {
  DINETTE_TRY(const store::TablePointer table, store.catalog().open(log.table_name));
  if (!table) return false;
  const DestinationSchema* const destination = table->schema_as<TableSchema>().destination();
  return destination && destination->log == records_of(log);
}

}  // namespace

void verify_destinations(store::Store& store, const store::View& view, Findings& findings) {
  const auto verify = [&](const api::DestinationLog& log) -> kv::Result<void> {
    DINETTE_TRY(const bool recorded, is_recorded_in(store, log));
    if (recorded == log.ended) {
      findings.fault(log_name(log) + (recorded ? " has ended, but is written to" : " is not written to"));
    }
    return verify_records(view, log, findings);
  };
  findings.fault_unless(verify_entries<api::DestinationLog>(view, findings, verify),
                        "the list of logs of Kinesis destinations");
}

void verify_destinations_of(const store::View& view, const store::Table& table, Findings& findings) {
  const auto& destinations = table.schema_as<TableSchema>().record().kinesis_destinations;
  if (!destinations) return;
  for (const api::KinesisDestination& destination : *destinations) {
    if (!destination.log_id) continue;
    api::DestinationLog log;
    log.log_id = *destination.log_id;
    const auto found = read_entry<api::DestinationLog>(view, key_of(log));
    if (!found || !*found) {
      findings.fault("the Kinesis destination " + destination.stream_arn + " of " + table.name +
                     " has no log that can be read");
    }
  }
}

}  // namespace dinette::dynamodb
