#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tablestore/model/value.h"
#include "tablestore/sql/moment.h"

/// SQL over tables (tablestore/sql.md): a part of MySQL's dialect.
namespace dinette::tablestore::sql {

class Budget;

/// The bytes of a value of type VARBINARY or MEDIUMBLOB.
struct Bytes {
  std::string content;

  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

/// A value; nothing is NULL.
using SqlValue = std::variant<std::monostate, std::int64_t, double, bool, std::string, Bytes, Moment>;

/// The values of a row, in the order of the columns.
using SqlRow = std::vector<SqlValue>;

inline bool is_null(const SqlValue& value) {
  return value.index() == 0;
}

SqlValue sql_value_of(const Value& value);

/// Returns the value as a number: of a text what it begins with, as MySQL reads it; nothing of NULL.
std::optional<double> number_of(const SqlValue& value);

/// Returns the value as a text, as MySQL writes it; empty for NULL.
std::string text_of(const SqlValue& value);

/// Returns how long the text of a value is; 0 of others.
std::size_t text_size(const SqlValue& value);

/// Returns the bytes that a row holds.
std::size_t size_of(const SqlRow& row);

/// Returns true for what is neither NULL nor zero.
bool is_true(const SqlValue& value);

/// Returns a negative number, zero or a positive one; nothing if one of them is NULL. Numbers and truths are
/// compared as numbers, also with texts; moments with what can be read as one.
std::optional<int> compare(const SqlValue& a, const SqlValue& b);

/// Orders all values: NULL first.
int order_of(const SqlValue& a, const SqlValue& b);

/// Orders all values, for maps.
struct LessSql {
  bool operator()(const SqlValue& a, const SqlValue& b) const { return order_of(a, b) < 0; }
};

/// Returns true if a text is like a pattern, in which `%` is any number of characters and `_` is one. False
/// also once `budget`, which may be null, is spent.
bool is_like(std::string_view text, std::string_view pattern, char escape, Budget* budget);

}  // namespace dinette::tablestore::sql
