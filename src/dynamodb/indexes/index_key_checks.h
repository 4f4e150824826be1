#pragma once

#include <string_view>

#include "dinette/base/function_ref.h"

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"

/// The service words refusals of index key values by the way they come in (docs/service/indexes.md section
/// 3).
namespace dinette::dynamodb {

/// Refuses a put of an item whose attributes would make a wrong key of some index: also attributes of the
/// table's key, as a partition key may be longer than an index's sort key.
Answer<void> check_index_keys(const TableSchema& schema, const model::Item& item);

/// Refuses an update after which the item is such, whether the update has written that key or left it as it
/// was: an item may be older than the index. `is_of_request` returns true for an attribute whose value is the
/// request's own.
Answer<void> check_updated_index_keys(const TableSchema& schema, const model::Item& item,
                                      base::FunctionRef<bool(std::string_view)> is_of_request);

}  // namespace dinette::dynamodb
