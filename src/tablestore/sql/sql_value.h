#pragma once

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

/// Returns the value as a moment: one, or a text that can be read as one.
std::optional<Moment> moment_of(const SqlValue& value);

/// Returns true for what is neither NULL nor zero.
bool is_true(const SqlValue& value);

/// Returns a negative number, zero or a positive one; nothing if one of them is NULL. Numbers and truths are
/// compared as numbers, also with texts; moments with what can be read as one.
std::optional<int> compare(const SqlValue& a, const SqlValue& b);

/// Orders all values: NULL first.
int order_of(const SqlValue& a, const SqlValue& b);

/// Returns true if a text is like a pattern, in which `%` is any number of characters and `_` is one.
bool is_like(std::string_view text, std::string_view pattern);

}  // namespace dinette::tablestore::sql
