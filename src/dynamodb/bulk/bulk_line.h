#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dynamodb/api/bulk_condition.h"
#include "dynamodb/expr/cache.h"
#include "dynamodb/items/item_condition.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/actions/put_action.h"

namespace dinette::dynamodb {

/// What a line of a bulk operation asks for.
struct BulkPut {
  /// A condition and what it refers to.
  struct Condition {
    api::BulkCondition members;
    ItemCondition bound;
  };

  std::unique_ptr<const Condition> condition;  ///< of the action; null for none
  std::unique_ptr<PutAction> action;
  std::string item;        ///< its attributes, as they came
  std::int64_t place = 0;  ///< in its object, from 0
};

/// Returns the put of an item with its condition, which is empty if there is none (ItemSource::condition), or
/// what PutItem would say against it.
Answer<BulkPut> bulk_put_of(const TableSchema& schema, expr::Cache& expressions, std::string_view item,
                            std::string_view condition);

}  // namespace dinette::dynamodb
