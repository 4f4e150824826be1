#pragma once

#include <optional>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/item_collection_metrics.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb {

/// The ItemCollectionMetrics after a write, when asked for and the table has a local index
/// (docs/service/capacity.md section 6). `key` has the partition key of the item at least.
Answer<std::optional<api::ItemCollectionMetrics>> item_collection_metrics(
    const Context& context, std::optional<api::ReturnItemCollectionMetrics> wanted, const OpenTable& table,
    const model::Item& key);

/// Adds the metrics of one collection to those of a table's: of one collection the last ones count.
void add_metrics(std::vector<api::ItemCollectionMetrics>& all, api::ItemCollectionMetrics one);

}  // namespace dinette::dynamodb
