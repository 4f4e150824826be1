#pragma once

#include <cstddef>
#include <optional>

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/model/work.h"

/// What conditions ask of two values and what set updates make of them, alike in expressions and in the
/// legacy parameters.
namespace dinette::dynamodb::model {

/// Returns a == b, and charges `work` with what had to be compared: hundreds of thousands of elements at
/// most.
bool equal(const AttributeValue& a, const AttributeValue& b, Work& work);

/// Returns true if `prefix` is one, text of text or binary of binary.
bool begins_with(const AttributeValue& value, const AttributeValue& prefix);

/// Returns true for a substring of text, bytes of binary, a member of a set, an equal element of a list
/// (docs/service/expressions.md section 5). Charges `work` with what had to be searched.
bool contains(const AttributeValue& value, const AttributeValue& part, Work& work);

/// Returns the result of `size()`: UTF-16 code units of text, bytes of binary, elements of a set, list or
/// map; none for the other types.
std::optional<std::size_t> element_count(const AttributeValue& value);

/// The members of either set; none unless both are sets of one type.
std::optional<AttributeValue> unite(const AttributeValue& a, const AttributeValue& b);

/// The members of `a` that are not in `b`; none unless both are sets of one type. What is left may be empty,
/// which no stored set is.
std::optional<AttributeValue> difference(const AttributeValue& a, const AttributeValue& b);

bool is_set(Type type);

}  // namespace dinette::dynamodb::model
