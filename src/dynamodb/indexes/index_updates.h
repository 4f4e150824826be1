#pragma once

#include <vector>

#include "dinette/store/row.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/context.h"

/// GlobalSecondaryIndexUpdates and VectorIndexUpdates of UpdateTable (docs/service/indexes.md sections 5 and
/// 7, vector-search.md, "UpdateTable rejections").
namespace dinette::dynamodb {

/// Applies them to a table's indexes: `before` holds while the update is under way, `after` from then on. The
/// record gets the attribute definitions that are in use afterwards. Returns the indexes whose entries go.
Answer<std::vector<store::IndexId>> update_indexes(const Context& context, const api::UpdateTableInput& input,
                                                   api::TableRecord& record, api::TableSettings& before,
                                                   api::TableSettings& after);

}  // namespace dinette::dynamodb
