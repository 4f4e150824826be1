#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "tablestore/search/ip_address.h"

/// What a search index has of rows, and what queries find in it (tablestore/search-index.md). An index keeps
/// nothing but its schema: queries look at the rows of the table.
namespace dinette::tablestore::search {

/// A value of a field. A date is its milliseconds since 1970; a place, like a text, is as it was written.
using FieldValue = std::variant<std::int64_t, double, bool, std::string, IpAddress>;

/// Orders numbers by value, texts and addresses by unsigned bytes, false before true. Others have no order.
std::partial_ordering compare(const FieldValue& a, const FieldValue& b);

/// Orders values of one field.
struct LessValue {
  bool operator()(const FieldValue& a, const FieldValue& b) const { return compare(a, b) < 0; }
};

/// Returns a number, or nothing for what is none.
std::optional<double> number_of(const FieldValue& value);

/// Returns a value as the key of a group shows it.
std::string text_of(const FieldValue& value);

}  // namespace dinette::tablestore::search
