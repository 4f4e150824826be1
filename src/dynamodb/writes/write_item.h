#pragma once

#include <optional>

#include "dynamodb/indexes/expiry_entry.h"
#include "dynamodb/model/work.h"
#include "dynamodb/request/attribute_names.h"
#include "dynamodb/request/context.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/item_action.h"
#include "dynamodb/writes/write_plan.h"

namespace dinette::dynamodb {

/// An item before and after an action.
struct WrittenItem {
  StoredItem old;
  kv::Value record;                   ///< after it; null if there is no item
  WritePlan plan;                     ///< empty if there was no item and is none
  std::optional<ExpiryTime> expires;  ///< the end of its time to live, if it is a new one
};

/// Carries out `action`. Waits for others as long as any write does, or until the `deadline` of the batch
/// that it belongs to. Returns nothing if the table was altered since it was opened; nothing is done then.
/// The table's schema must outlive the result. Adds to `work`, unless it is null, also what a write that is
/// refused has cost.
Answer<std::optional<WrittenItem>> write_item(const Context& context, const OpenTable& table,
                                              ItemAction& action, std::optional<kv::Deadline> deadline = {},
                                              model::Work* work = nullptr);

/// The same for the server itself, which needs no request.
Answer<std::optional<WrittenItem>> write_item(store::Store& store, const store::Table& table,
                                              ItemAction& action, WriteOrigin origin,
                                              std::optional<kv::Deadline> deadline = {});

/// Returns the origin of a request's writes to a table.
WriteOrigin origin_of(const Context& context, const TableSchema& schema);

/// Lets `action` decide on the row as it is, null if there is none, and works out in `written` what that
/// comes to. `interest` is attributes_needed(); `mark` is that of the row in a table with replicas, null for
/// none. Fails with ConditionalCheckFailedException for a change from another region that is not newer.
Answer<void> decide_item(const kv::Value* row, const kv::Value* mark, const AttributeNames& interest,
                         const TableSchema& schema, ItemAction& action, WriteOrigin origin,
                         WrittenItem& written);

/// Returns what a write adds to the work of its request. What indexes make of it costs by what has to be
/// looked at of the item before, and by what they copy of the item after; the item itself is a copy, too.
std::size_t work_of(const WrittenItem& written);

/// Returns the attributes of a stored item that `action` and the table's indexes need.
AttributeNames attributes_needed(const ItemAction& action, const TableSchema& schema);

/// Returns ItemCollectionSizeLimitExceededException: a write would make an item collection too large
/// (docs/service/wire.md section 3, indexes.md section 1).
base::Failure<ApiError> collection_full();

}  // namespace dinette::dynamodb
