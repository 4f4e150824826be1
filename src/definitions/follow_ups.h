#pragma once

#include "dinette/definitions/definitions.h"

namespace dinette::definitions {

/// Adds UpdateTimeToLive. A new table has no time to live, and the service refuses to turn it off.
void enable_time_to_live(Node attribute, TableDefinition& table);

/// Adds UpdateContinuousBackups. `recovery_days` may be null.
void enable_recovery(Node recovery_days, TableDefinition& table);

/// Adds UpdateContributorInsights of the table, or of the index if that is not empty.
void enable_insights(std::string_view index, Node mode, TableDefinition& table);

/// Adds EnableKinesisStreamingDestination. `precision` may be null.
void enable_kinesis(Node stream_arn, Node precision, TableDefinition& table);

/// Says that something of a table is not made: "table "x": its replicas are left out".
void warn_of_table(const TableDefinition& table, std::string_view what, Definitions& to);

}  // namespace dinette::definitions
