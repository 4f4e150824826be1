#include "tablestore/sql/row_values.h"

#include <algorithm>
#include <limits>
#include <string>

#include "dinette/base/ascii.h"

#include "tablestore/api/refusals.h"

namespace dinette::tablestore::sql {
namespace {

// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
bool has_column(const Expression& expression) {
  const bool is_column = expression.kind == Expression::Kind::column || expression.query != nullptr;
  return is_column || std::ranges::any_of(expression.inner, has_column);
}

/// Returns the value as an integer; nothing if it is none.
std::optional<std::int64_t> whole_of(const SqlValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  return std::nullopt;
}

std::optional<Value> converted_to(ValueType type, const SqlValue& value) {
  const auto* const text = std::get_if<std::string>(&value);
  const auto* const bytes = std::get_if<Bytes>(&value);
  const bool is_text = text != nullptr || bytes != nullptr;
  const auto whole = whole_of(value);
  switch (type) {
    case ValueType::integer:
      return whole ? std::optional(Value::integer(*whole)) : std::nullopt;
    case ValueType::real:
      return is_text ? std::nullopt : std::optional(Value::real(*number_of(value)));
    case ValueType::boolean:
      return whole ? std::optional(Value::boolean(*whole != 0)) : std::nullopt;
    case ValueType::string:
      return text != nullptr ? std::optional(Value::string(*text)) : std::nullopt;
    case ValueType::binary:
      if (bytes != nullptr) return Value::binary(bytes->content);
      return text != nullptr ? std::optional(Value::binary(*text)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

Answer<SqlValue> constant(const Expression& expression, const Environment& environment) {
  if (has_column(expression) || has_aggregate(expression)) return refuse::sql_value_not_constant();
  SqlValue value = evaluate(expression, {}, environment);
  if (environment.budget == nullptr) return value;
  environment.budget->hold(text_size(value));
  DINETTE_CHECK(environment.budget->check());
  return value;
}

Answer<std::optional<Value>> stored_value(const SqlColumn& column, const SqlValue& value) {
  if (is_null(value) && !column.is_nullable) return refuse::sql_missing_key(column.name);
  if (is_null(value)) return std::optional<Value>();
  auto stored = converted_to(column.type.values, value);
  if (!stored) return refuse::sql_wrong_value(column.name);
  return stored;
}

/// The greatest integer is no key in SQL.
Answer<Value> key_value(const SqlColumn& column, const SqlValue& value) {
  DINETTE_TRY(const auto stored, stored_value(column, value));
  if (!stored) return refuse::sql_missing_key(column.name);
  const bool largest = stored->type() == ValueType::integer &&
                       stored->as_integer() == std::numeric_limits<std::int64_t>::max();
  if (largest) return refuse::sql_largest_key();
  return *stored;
}

Answer<const SqlColumn*> column_of(const TableMeta& table, std::string_view name) {
  const auto found = std::ranges::find_if(table.sql_columns, [&](const SqlColumn& column) {
    return base::equal_ignoring_case(column.name, name);
  });
  if (found == table.sql_columns.end()) return refuse::sql_unknown_column(name);
  return &*found;
}

}  // namespace dinette::tablestore::sql
