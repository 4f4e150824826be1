#pragma once

#include <string>
#include <string_view>

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

inline constexpr std::string_view key_schema_mismatch = "The provided key element does not match the schema";

/// Checks that a request's `Key` has exactly the table's key attributes, with their types
/// (docs/service/items.md section 3).
Answer<void> check_key(const TableSchema& schema, const model::Item& key);
/// The same in two steps: whether the right attributes are there, and then whether they may have their
/// values.
Answer<void> check_key_fits(const TableSchema& schema, const model::Item& key);
Answer<void> check_key_values(const TableSchema& schema, const model::Item& key);

/// The same for an item, which may have other attributes: how BatchWriteItem words what is
/// wrong with the key of a put (docs/service/batch.md section 2).
Answer<void> check_key_within(const TableSchema& schema, const model::Item& item);

/// Checks the key attributes of an item to store; it may have other attributes.
Answer<void> check_key_of_item(const TableSchema& schema, const model::Item& item);
/// The same in two steps: first that the attributes are there, of their types, then check_key_values.
Answer<void> check_has_key(const TableSchema& schema, const model::Item& item);

/// The store's key of the row for a checked key or item.
std::string encode_key(const TableSchema& schema, const model::Item& key);

/// Returns the prefix of the keys of all rows of a partition, in the table and in its local indexes.
std::string encode_partition(const model::AttributeValue& hash);

/// Appends one key component, so that encoded bytes order as the values do. `value` must be S, N or B.
void append_key_component(std::string& out, const model::AttributeValue& value);

}  // namespace dinette::dynamodb
