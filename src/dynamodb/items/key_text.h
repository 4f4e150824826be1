#pragma once

#include <span>
#include <string>

#include "dynamodb/expr/key_condition.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// Returns key conditions for people to read, such as `pk = 'a' AND sk BETWEEN 1 AND 5`; binary values are
/// in base64.
std::string key_text(std::span<const expr::KeyClause> clauses);

/// Returns the same for the key of an item, which `key` has, among other attributes maybe.
std::string key_text(const TableSchema& schema, const model::Item& key);

/// Appends one value as these have it. It must be S, N or B.
void append_key_value(std::string& out, const model::AttributeValue& value);

/// Returns one value without quotation marks; empty if it is not S, N or B.
std::string plain_key_value(const model::AttributeValue& value);

}  // namespace dinette::dynamodb
