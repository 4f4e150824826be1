#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tablestore/api/refusals.h"
#include "tablestore/sql/expression_parser.h"
#include "tablestore/sql/functions.h"

// Calls of functions whose arguments are not divided by commas alone.
namespace dinette::tablestore::sql {

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_special(std::string_view function) {
  if (function == "cast" || function == "convert") return read_cast(function == "convert");
  if (function == "trim") return read_trim();
  if (function == "extract" || function.starts_with("timestamp")) return read_unit_first(function);
  if (function.ends_with("date") || function.starts_with("date")) return read_date_change(function);
  return read_substring(function);
}

/// `CAST(value AS type)`, `CONVERT(value, type)`.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_cast(bool by_comma) {
  DINETTE_TRY(Expression value, read_expression());
  if (by_comma) {
    DINETTE_CHECK(expect_sign(","));
  } else {
    DINETTE_CHECK(expect("as"));
  }
  DINETTE_TRY(Expression result, read_cast_type(std::move(value)));
  DINETTE_CHECK(expect_sign(")"));
  return result;
}

Answer<Expression> ExpressionParser::read_cast_type(Expression value) {
  DINETTE_TRY(const std::string written, name());
  std::string type = tokens_[at_ - 1].text;
  if (type == "decimal") return read_decimal(std::move(value));
  if (type == "signed" || type == "unsigned") take("integer");
  if (type == "real" || type == "float") type = "double";
  std::vector<Expression> arguments;
  arguments.push_back(std::move(value));
  if (take_sign("(")) {
    DINETTE_TRY(const std::size_t length, read_size());
    if (type == "char") arguments.push_back(literal(static_cast<std::int64_t>(length)));
    DINETTE_CHECK(expect_sign(")"));
  }
  const std::string function = "cast " + type;
  if (function_named(function) == nullptr) return refuse::sql_unknown_type(written);
  return call_of(function, std::move(arguments));
}

/// `DECIMAL(digits, digits after the point)`: without them 10 and none.
Answer<Expression> ExpressionParser::read_decimal(Expression value) {
  constexpr std::size_t most_digits = 65;
  std::size_t digits = 10;
  std::size_t after_point = 0;
  if (take_sign("(")) {
    DINETTE_TRY(digits, read_size());
    if (take_sign(",")) {
      DINETTE_TRY(after_point, read_size());
    }
    if (digits > most_digits || after_point > digits) return error();
    DINETTE_CHECK(expect_sign(")"));
  }
  std::vector<Expression> arguments;
  arguments.push_back(std::move(value));
  arguments.push_back(literal(static_cast<std::int64_t>(digits)));
  arguments.push_back(literal(static_cast<std::int64_t>(after_point)));
  return call_of("cast decimal", std::move(arguments));
}

Answer<std::size_t> ExpressionParser::read_size() {
  const std::string& digits = next().text;
  std::uint32_t size = 0;
  if (next().kind != Token::Kind::whole ||
      std::from_chars(digits.data(), digits.data() + digits.size(), size).ec != std::errc())
    return error();
  ++at_;
  return std::size_t{size};
}

/// `TRIM([{BOTH | LEADING | TRAILING} [removed] FROM] text)`, `TRIM(removed FROM text)`.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_trim() {
  std::string function = "trim";
  if (take("leading")) {
    function = "trim leading";
  } else if (take("trailing")) {
    function = "trim trailing";
  } else {
    take("both");
  }
  std::vector<Expression> arguments;
  if (!is("from")) {
    DINETTE_TRY(Expression first, read_expression());
    arguments.push_back(std::move(first));
  }
  if (take("from")) {
    DINETTE_TRY(Expression text, read_expression());
    arguments.insert(arguments.begin(), std::move(text));
  }
  DINETTE_CHECK(expect_sign(")"));
  return call_of(function, std::move(arguments));
}

/// `SUBSTRING(text FROM first FOR count)`, `POSITION(part IN text)`, and the same with commas.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_substring(std::string_view function) {
  std::vector<Expression> arguments;
  const bool is_position = function == "position";
  DINETTE_TRY(Expression first, is_position ? read_bits(0) : read_expression());
  arguments.push_back(std::move(first));
  while (take_sign(",") || take(is_position ? "in" : "from") || take("for")) {
    DINETTE_TRY(Expression one, read_expression());
    arguments.push_back(std::move(one));
  }
  DINETTE_CHECK(expect_sign(")"));
  return call_of(function, std::move(arguments));
}

/// `DATE_ADD(date, INTERVAL amount unit)`; ADDDATE may have a number of days in place of the interval.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_date_change(std::string_view function) {
  const bool subtracts = function == "date_sub" || function == "subdate";
  DINETTE_TRY(Expression date, read_expression());
  DINETTE_CHECK(expect_sign(","));
  Expression result;
  if (is("interval")) {
    DINETTE_TRY(result, read_interval(std::move(date), subtracts));
  } else {
    if (function.starts_with("date")) return error();
    DINETTE_TRY(Expression amount, read_expression());
    std::vector<Expression> arguments;
    arguments.push_back(std::move(date));
    arguments.push_back(std::move(amount));
    arguments.push_back(literal(std::string("day")));
    DINETTE_TRY(result, call_of(subtracts ? "date_sub" : "date_add", std::move(arguments)));
  }
  DINETTE_CHECK(expect_sign(")"));
  return result;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_interval(Expression date, bool subtracts) {
  DINETTE_CHECK(expect("interval"));
  DINETTE_TRY(Expression amount, read_expression());
  if (next().kind != Token::Kind::word || !is_unit_of_time(next().text, true)) return error();
  std::vector<Expression> arguments;
  arguments.push_back(std::move(date));
  arguments.push_back(std::move(amount));
  arguments.push_back(literal(tokens_[at_++].text));
  return call_of(subtracts ? "date_sub" : "date_add", std::move(arguments));
}

/// `EXTRACT(unit FROM date)`, `TIMESTAMPDIFF(unit, from, to)`.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_unit_first(std::string_view function) {
  std::string unit = next().text;
  if (unit.starts_with("sql_tsi_")) unit.erase(0, std::string_view("sql_tsi_").size());
  if (next().kind != Token::Kind::word || !is_unit_of_time(unit, function == "extract")) return error();
  ++at_;
  Expression arguments;
  arguments.inner.push_back(literal(std::move(unit)));
  if (function == "extract") {
    DINETTE_CHECK(expect("from"));
  } else {
    DINETTE_CHECK(expect_sign(","));
  }
  DINETTE_TRY(arguments, read_arguments(std::move(arguments)));
  return call_of(function, std::move(arguments.inner));
}

}  // namespace dinette::tablestore::sql
