#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dinette/base/clock.h"

#include "tablestore/request/api_error.h"
#include "tablestore/sql/budget.h"
#include "tablestore/sql/sql_value.h"

namespace dinette::tablestore::sql {

struct Function;
struct Select;

/// What a column of a result is made of, and what conditions are.
struct Expression {
  enum class Kind : std::uint8_t {
    literal,
    column,
    // Of two others:
    or_,
    and_,
    xor_,
    equal,
    null_safe_equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    add,
    subtract,
    multiply,
    divide,
    divide_whole,
    modulo,
    bits_and,
    bits_or,
    bits_xor,
    like,  ///< `value` is what escapes
    // Of one:
    not_,
    negate,
    bits_not,
    is_null,
    is_true,
    is_false,
    // Of the first, and the others:
    in,
    between,
    case_of,    ///< a value, then pairs of one that it may equal and a result, then what else
    case_when,  ///< pairs of a condition and a result, then what else
    call,       ///< of `function`
    // Of a query:
    subquery,
    exists,
    in_subquery,  ///< the first is what is looked for
    // Of a search index, until they are columns of their own (search_conditions.h):
    text_match,
    text_match_phrase,
    nested_query,
    array_extract,
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
  std::string qualifier = {};          ///< and the table before it, if it was written
  std::size_t place = 0;               ///< and where it is among those of the row
  std::vector<Expression> inner = {};  ///< of count(*) none
  bool is_distinct = false;            ///< of an aggregate: equal values count once
  const Function* function = nullptr;
  std::shared_ptr<const Select> query = {};

  bool is_aggregate() const { return kind >= Kind::count; }
};

/// Rows that an expression is evaluated on: one, or those of a group, of which the first one has the values
/// of columns.
using SqlRows = std::span<const SqlRow* const>;

/// What expressions need besides rows.
struct Environment {
  base::TimePoint now = {};
  /// Returns the value of an expression with a query; empty where there are none.
  std::function<SqlValue(const Expression& expression, SqlRows rows)> query = {};
  Budget* budget = nullptr;  ///< null: nothing is counted
};

SqlValue evaluate(const Expression& expression, SqlRows rows, const Environment& environment = {});

/// Returns true if there is an aggregate in it.
bool has_aggregate(const Expression& expression);

/// Returns of how many parts it is, of which long texts count as several.
std::size_t weight_of(const Expression& expression);

}  // namespace dinette::tablestore::sql
