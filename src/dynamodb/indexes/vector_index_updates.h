#pragma once

#include <vector>

#include "dinette/store/catalog.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Applies VectorIndexUpdates, if there are any, as update_indexes() does (index_updates.h). Appends the
/// indexes whose entries go to `dropped`.
Answer<void> update_vector_indexes(const api::UpdateTableInput& input, api::TableRecord& record,
                                   api::TableSettings& before, api::TableSettings& after,
                                   std::vector<store::IndexId>& dropped);

/// Refuses the name of an index that there is, of any kind.
base::Failure<ApiError> index_exists();

}  // namespace dinette::dynamodb
