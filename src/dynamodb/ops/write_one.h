#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dynamodb/ops/context.h"
#include "dynamodb/ops/item_write.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/stored_item.h"
#include "dynamodb/ops/write_condition.h"

/// How one item is put into a table or deleted from it, alone or in a batch; and how a table is written to.
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

/// Opens the table and runs `attempt(table)`, an Answer<std::optional<Output>>, again on the table's new
/// version when it gives nothing: then the table was altered between opening and writing, which nobody does
/// often enough to keep a request here.
template <class Attempt>
auto write_to_table(const Context& context, std::string_view name_or_arn, Attempt attempt)
    -> Answer<typename decltype(attempt(std::declval<const OpenTable&>()))::value_type::value_type> {
  for (;;) {
    DINETTE_TRY(const OpenTable table, open_for_data(context, name_or_arn));
    DINETTE_TRY(auto output, attempt(table));
    if (output) return *std::move(output);
  }
}

}  // namespace dinette::dynamodb::ops
