#pragma once

#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {

/// Refuses an update that has to wait for a change of the table that is under way (docs/service/tables.md
/// section 8, indexes.md sections 5 and 7).
Answer<void> check_no_conflict(const api::TableRecord& record, const TableState& state,
                               const api::UpdateTableInput& input);

/// The answer to more than one creation or deletion of an index at a time.
base::Failure<ApiError> several_indexes_at_once();

/// Returns true if an index of the table is being created, changed or deleted.
bool indexes_are_changing(const api::TableSettings& settings);

}  // namespace dinette::dynamodb
