#pragma once

#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/throughput_changes.h"
#include "dynamodb/request/api_error.h"

/// How often a table's settings may change. The counts belong to the table's record and begin again with a
/// new table of the same name (docs/service/throttling.md section 5, tables.md section 4).
namespace dinette::dynamodb {

/// Refuses a decrease of provisioned throughput after the fourth of the day within an hour of the last one.
Answer<void> check_decrease(const api::ThroughputChanges& changes, const api::ProvisionedThroughput& from,
                            const api::ProvisionedThroughput& to, codec::Timestamp moment);

/// Refuses the fifth switch to on-demand billing within 24 hours.
Answer<void> check_switch_to_on_demand(const api::TableRecord& record, codec::Timestamp moment);

/// Refuses the third change of table class within 30 days.
Answer<void> check_table_class_change(const api::TableRecord& record, codec::Timestamp moment);

/// Refuses a change of encryption after the fourth within 24 hours, unless six hours have passed since the
/// last one.
Answer<void> check_encryption_changes(const api::TableRecord& record, codec::Timestamp moment);

/// Remembers for these limits what an update that is complete at `moment` changes.
void note_changes(api::TableRecord& record, const api::TableSettings& from, const api::TableSettings& to,
                  codec::Timestamp moment);

}  // namespace dinette::dynamodb
