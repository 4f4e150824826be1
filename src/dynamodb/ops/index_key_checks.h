#pragma once

#include <string_view>
#include <vector>

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/ops/api_error.h"
#include "dynamodb/ops/table_schema.h"

namespace dinette::dynamodb::ops {

/// Which way an index key value comes in: the service words refusals by it (facts: indexes.md section 3).
enum class IndexKeyWrite : bool { put, update };

/// Refuses an item whose attributes would make a wrong key of some index: also attributes of the table's key,
/// as a partition key may be longer than an index's sort key. With `changed`, only keys that the update
/// writes are looked at.
Answer<void> check_index_keys(const TableSchema& schema, const model::Item& item, IndexKeyWrite write,
                              const std::vector<std::string_view>* changed = nullptr);

}  // namespace dinette::dynamodb::ops
