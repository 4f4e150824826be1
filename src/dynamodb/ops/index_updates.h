#pragma once

#include <vector>

#include "dinette/store/row.h"

#include "dynamodb/api/types.h"
#include "dynamodb/ops/api_error.h"

/// GlobalSecondaryIndexUpdates of UpdateTable (facts: indexes.md section 5).
namespace dinette::dynamodb::ops {

/// What can be wrong with them whatever the table is.
Answer<void> check_index_updates(const api::UpdateTableInput& input);

/// What becomes of a table's indexes: `before` holds while the update is under way, `after` from then on. The
/// record gets the attribute definitions that are in use afterwards. Gives the indexes whose entries go.
Answer<std::vector<store::IndexId>> update_indexes(const api::UpdateTableInput& input,
                                                   api::TableRecord& record, api::TableSettings& before,
                                                   api::TableSettings& after, codec::Timestamp moment);

/// The answer to more than one creation or deletion of an index under way.
base::Failure<ApiError> several_indexes_at_once();

/// Whether an index of the table is being created, changed or deleted.
bool indexes_are_changing(const api::TableSettings& settings);

}  // namespace dinette::dynamodb::ops
