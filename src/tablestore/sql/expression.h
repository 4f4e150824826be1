#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tablestore/request/api_error.h"
#include "tablestore/sql/sql_value.h"

namespace dinette::tablestore::sql {

/// What a column of a result is made of, and what conditions are.
struct Expression {
  enum class Kind : std::uint8_t {
    literal,
    column,
    // Of two others:
    or_,
    and_,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    like,
    // Of one:
    not_,
    negate,
    is_null,
    // Of the first, and the others:
    in,
    between,
    // Functions:
    from_unixtime,
    timediff,
    date,
    // Of all rows of a group:
    count,
    sum,
    avg,
    min,
    max,
  };

  Kind kind = Kind::literal;
  SqlValue value = {};                 ///< of a literal
  std::string column = {};             ///< of a column: its name
  std::size_t place = 0;               ///< and where it is among those of the row
  std::vector<Expression> inner = {};  ///< of count(*) none
  bool is_distinct = false;            ///< of an aggregate: equal values count once

  bool is_aggregate() const { return kind >= Kind::count; }
};

/// Rows that an expression is evaluated on: one, or those of a group, of which the first one has the values
/// of columns.
using SqlRows = std::span<const SqlRow* const>;

SqlValue evaluate(const Expression& expression, SqlRows rows);

/// Returns true if there is an aggregate in it.
bool has_aggregate(const Expression& expression);

}  // namespace dinette::tablestore::sql
