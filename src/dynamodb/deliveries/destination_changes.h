#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dinette/base/function_ref.h"

#include "dynamodb/api/destination_log.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

/// Changes of a table's Kinesis destinations (docs/service/kinesis.md sections 1 and 2).
namespace dinette::dynamodb {

/// Changes a table's record, and returns the log that begins or ends with it, if one does. May run more than
/// once.
using EditDestinations =
    base::FunctionRef<Answer<std::optional<api::DestinationLog>>(api::TableRecord& record)>;

/// Changes the destinations of a table, with no write of its items under way, and has the log looked after.
Answer<void> change_destinations(const Context& context, const OpenTable& table, EditDestinations edit);

/// Ends all logs of a table that is deleted. Returns those that have ended with it, which are to be written
/// with its record, or its end.
std::vector<api::DestinationLog> end_logs(api::TableRecord& record);

/// Returns the error for a destination that cannot be changed now.
base::Failure<ApiError> not_in_valid_state(const std::string& sentence);

}  // namespace dinette::dynamodb
