#pragma once

#include <string_view>
#include <vector>

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

/// Refuses an update that made such an item. With `changed`, only keys that the update writes are looked at.
/// `taken_from_item` returns true for an attribute whose new value comes from the item before.
Answer<void> check_updated_index_keys(const TableSchema& schema, const model::Item& item,
                                      const std::vector<std::string_view>* changed,
                                      base::FunctionRef<bool(std::string_view)> taken_from_item);

}  // namespace dinette::dynamodb
