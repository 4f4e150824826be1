#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "dynamodb/api/types.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/ops/item_page.h"
#include "dynamodb/ops/item_write.h"
#include "dynamodb/ops/open_table.h"
#include "dynamodb/ops/read_target.h"
#include "dynamodb/ops/table_schema.h"

namespace dinette::dynamodb::ops {

/// The ConsumedCapacity of a write of one item, when asked for (facts: capacity.md sections 1 to 3).
/// `table_name` is printed as the client wrote it.
std::optional<api::ConsumedCapacity> write_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                    std::string_view table_name, const ItemWrite& write);

/// The same of a read of one item; `size` is 0 for one that is not there (facts: capacity.md sections 2 and
/// 4).
std::optional<api::ConsumedCapacity> read_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                   std::string_view table_name, std::size_t size,
                                                   bool consistent);

/// The same of a page of a Query or Scan.
std::optional<api::ConsumedCapacity> page_capacity(std::optional<api::ReturnConsumedCapacity> wanted,
                                                   std::string_view table_name, const ReadTarget& target,
                                                   const ItemPage& page, bool consistent);

/// Adds what one more item of the same table consumed: batches answer with a sum a table (facts: capacity.md
/// sections 3 and 4).
void add_capacity(std::optional<api::ConsumedCapacity>& sum, std::optional<api::ConsumedCapacity> one);

/// Adds another table's to a batch's list.
void add_capacity(std::optional<std::vector<api::ConsumedCapacity>>& list,
                  std::optional<api::ConsumedCapacity> table);

/// The ItemCollectionMetrics after a write, when asked for and the table has a local index (facts:
/// capacity.md section 6).
Answer<std::optional<api::ItemCollectionMetrics>> item_collection_metrics(
    const Context& context, std::optional<api::ReturnItemCollectionMetrics> wanted, const OpenTable& table,
    const model::Item& key);

}  // namespace dinette::dynamodb::ops
