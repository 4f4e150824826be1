#pragma once

#include <span>
#include <string>

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/ops/table_schema.h"

/// Where the entries of an index stand. A local index has the partitions of its table and orders their rows
/// anew; a global index has partitions of its own, hashed as those of a table. Entries with equal index keys
/// stand in the order of their table keys. The bytes: src/dynamodb/FORMAT.md.
namespace dinette::dynamodb::ops {

/// The store's key of the entry of an item that has every key attribute of index and table, of their types.
std::string encode_index_key(const TableSchema& schema, const IndexSchema& index, const model::Item& item);

/// What the keys of all entries with these values of the index's hash attributes, in schema order, begin
/// with.
std::string encode_index_partition(const IndexSchema& index,
                                   std::span<const model::AttributeValue* const> hash);

}  // namespace dinette::dynamodb::ops
