#pragma once

#include <optional>
#include <string>

#include "dynamodb/ops/context.h"
#include "dynamodb/ops/item_write.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/stored_item.h"
#include "dynamodb/ops/write_condition.h"

/// How one item is put into a table or deleted from it, alone or in a batch.
namespace dinette::dynamodb::ops {

struct OneWrite {
  std::string key;    ///< the store's
  kv::Value record;   ///< null: the item is deleted
  model::Item known;  ///< of an item that is put TableSchema::key_and_indexed_attributes(), else its key

  ItemImage after() const { return {record, record ? &known : nullptr}; }
};

/// The item of `record`, whose key is right, on its way into the table; `known` as in OneWrite. Refuses wrong
/// index keys and items that are too large.
Answer<OneWrite> put_of(const TableSchema& schema, kv::Value record, model::Item known);

/// `key` must be right.
OneWrite delete_of(const TableSchema& schema, model::Item key);

struct WrittenItem {
  bool condition_met = false;    ///< else nothing was written
  bool collection_full = false;  ///< so that nothing was written, either
  StoredItem old;
  ItemWrite write;
};

/// Why nothing was written, if so.
Answer<void> check_written(const WrittenItem& written,
                           std::optional<api::ReturnValuesOnConditionCheckFailure> wanted = {});

/// Waits for others as long as any write does, or until the `deadline` of the batch that it belongs to.
/// Nothing when the table was altered since it was opened. The table's schema must outlive the result.
kv::Result<std::optional<WrittenItem>> write_one(const Context& context, const OpenTable& table,
                                                 const OneWrite& one, const ItemCondition& condition = {},
                                                 std::optional<kv::Deadline> deadline = {});

}  // namespace dinette::dynamodb::ops
