#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/consumed_capacity.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/item_collection_metrics.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/writes/transactions/transaction.h"

namespace dinette::dynamodb {

using CapacityList = std::optional<std::vector<api::ConsumedCapacity>>;
using CollectionMetrics = std::optional<codec::Entries<std::vector<api::ItemCollectionMetrics>>>;

/// Returns what one of the actions, or its replay, cost.
Charge charge_of_action(const WrittenTransaction& written, std::size_t index);

/// Returns what a transaction, or its replay, consumed of each table (docs/service/capacity.md section 3).
CapacityList transaction_capacity(const Context& context, api::ReturnConsumedCapacity wanted,
                                  std::span<const TransactionAction> actions,
                                  const WrittenTransaction& written);

/// The ItemCollectionMetrics of the tables with local indexes, if asked for (docs/service/capacity.md section
/// 6).
Answer<CollectionMetrics> transaction_metrics(const Context& context, api::ReturnItemCollectionMetrics wanted,
                                              std::span<const TransactionAction> actions);

}  // namespace dinette::dynamodb
