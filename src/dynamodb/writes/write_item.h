#pragma once

#include <optional>

#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/item_action.h"
#include "dynamodb/writes/item_write.h"

namespace dinette::dynamodb {

/// An item before and after an action.
struct WrittenItem {
  StoredItem old;
  kv::Value record;  ///< after it; null if there is no item
  ItemWrite write;   ///< empty if there was no item and is none
};

/// Carries out `action`. Waits for others as long as any write does, or until the `deadline` of the batch
/// that it belongs to. Returns nothing if the table was altered since it was opened; nothing is done then.
/// The table's schema must outlive the result.
Answer<std::optional<WrittenItem>> write_item(const Context& context, const OpenTable& table,
                                              ItemAction& action, std::optional<kv::Deadline> deadline = {});

}  // namespace dinette::dynamodb
