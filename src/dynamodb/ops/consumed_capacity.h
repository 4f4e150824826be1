#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "dynamodb/api/types.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/ops/table_schema.h"

namespace dinette::dynamodb::ops {

/// What one item was before a write and is after it: the size the service counts, and the item itself where
/// the table has indexes. Absent items have size 0 and no pointer.
struct ItemImage {
  std::size_t size = 0;
  const model::Item* item = nullptr;
};

/// The ConsumedCapacity of a write of one item, when asked for (facts: capacity.md sections 1 to 3).
/// `table_name` is printed as the client wrote it.
std::optional<api::ConsumedCapacity> write_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                    const TableSchema& schema, std::string_view table_name,
                                                    ItemImage before, ItemImage after);

/// The same of a read of one item; `size` is 0 for one that is not there (facts: capacity.md sections 2 and
/// 4).
std::optional<api::ConsumedCapacity> read_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                   std::string_view table_name, std::size_t size,
                                                   bool consistent);

/// The ItemCollectionMetrics of a write, when asked for and the table has a local index (facts: capacity.md
/// section 6).
std::optional<api::ItemCollectionMetrics> item_collection_metrics(
    std::optional<api::ReturnItemCollectionMetrics> wanted, const TableSchema& schema,
    const model::Item& key);

}  // namespace dinette::dynamodb::ops
