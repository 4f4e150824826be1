#include "tablestore/sql/expression_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using std::string;
using std::string_view;
using ReadKind = Expression::Kind;
using Inner = std::vector<Expression>;

constexpr std::array<string_view, 57> reserved{
    "and",       "as",        "asc",    "between", "by",     "case",   "collate", "cross",
    "desc",      "distinct",  "div",    "else",    "except", "exists", "false",   "for",
    "force",     "from",      "group",  "having",  "ignore", "in",     "inner",   "intersect",
    "interval",  "into",      "is",     "join",    "left",   "like",   "limit",   "lock",
    "mod",       "natural",   "not",    "null",    "on",     "or",     "order",   "outer",
    "partition", "procedure", "regexp", "right",   "rlike",  "select", "set",     "straight_join",
    "then",      "true",      "union",  "use",     "using",  "when",   "where",   "with",
    "xor"};

struct Operator {
  string_view sign;
  ReadKind kind;
};

constexpr std::array comparisons{
    Operator{"=", ReadKind::equal},      Operator{"<=>", ReadKind::null_safe_equal},
    Operator{"<>", ReadKind::not_equal}, Operator{"!=", ReadKind::not_equal},
    Operator{"<", ReadKind::less},       Operator{"<=", ReadKind::less_equal},
    Operator{">", ReadKind::greater},    Operator{">=", ReadKind::greater_equal},
};
constexpr std::array products{
    Operator{"*", ReadKind::multiply}, Operator{"/", ReadKind::divide},
    Operator{"%", ReadKind::modulo},   Operator{"div", ReadKind::divide_whole},
    Operator{"mod", ReadKind::modulo},
};
/// What binds less is first.
constexpr std::array bits{Operator{"|", ReadKind::bits_or}, Operator{"&", ReadKind::bits_and}};

constexpr std::array aggregates{
    Operator{"count", ReadKind::count}, Operator{"sum", ReadKind::sum}, Operator{"avg", ReadKind::avg},
    Operator{"min", ReadKind::min},     Operator{"max", ReadKind::max},
};
constexpr std::array search_functions{
    Operator{"text_match", ReadKind::text_match},
    Operator{"match_query", ReadKind::text_match},
    Operator{"text_match_phrase", ReadKind::text_match_phrase},
    Operator{"match_phrase_query", ReadKind::text_match_phrase},
    Operator{"nested_query", ReadKind::nested_query},
    Operator{"array_extract", ReadKind::array_extract},
};
/// Functions that need no parentheses.
constexpr std::array<string_view, 8> bare_functions{"current_timestamp", "current_date",   "current_time",
                                                    "localtime",         "localtimestamp", "utc_date",
                                                    "utc_time",          "utc_timestamp"};

template <class Operators>
std::optional<ReadKind> kind_of(const Operators& known, string_view sign) {
  const auto found = std::ranges::find(known, sign, &Operator::sign);
  return found == known.end() ? std::nullopt : std::optional(found->kind);
}

Expression of_one(ReadKind kind, Expression inner) {
  Expression outer{.kind = kind};
  outer.inner.push_back(std::move(inner));
  return outer;
}

Expression of_two(ReadKind kind, Expression left, Expression right) {
  Expression outer = of_one(kind, std::move(left));
  outer.inner.push_back(std::move(right));
  return outer;
}

Expression inverted(Expression inner, bool inverts) {
  return inverts ? of_one(ReadKind::not_, std::move(inner)) : std::move(inner);
}

/// Returns true for the digits of the least integer, which without their sign are too large for one.
bool is_least_negated(const Token& token) {
  std::uint64_t magnitude = 0;
  const char* const end = token.text.data() + token.text.size();
  return token.kind == Token::Kind::whole &&
         std::from_chars(token.text.data(), end, magnitude).ec == std::errc() &&
         magnitude == std::uint64_t{1} << 63;
}

/// An integer that is too large is a number of type DOUBLE; what is too small for one is zero.
Answer<Expression> number(const Token& token) {
  const char* const end = token.text.data() + token.text.size();
  std::int64_t whole = 0;
  if (token.kind == Token::Kind::whole && std::from_chars(token.text.data(), end, whole).ec == std::errc())
    return literal(whole);
  double real = 0;
  const bool is_out = std::from_chars(token.text.data(), end, real).ec == std::errc::result_out_of_range;
  if (is_out) real = std::strtod(token.text.c_str(), nullptr);
  if (std::isinf(real)) return refuse::sql_illegal_double(token.text);
  return literal(real);
}

}  // namespace

Expression literal(SqlValue value) {
  return {.kind = Expression::Kind::literal, .value = std::move(value)};
}

bool is_reserved(string_view word) {
  return std::ranges::find(reserved, word) != reserved.end();
}

bool ExpressionParser::take(string_view word) {
  if (!is(word)) return false;
  ++at_;
  return true;
}

bool ExpressionParser::take_sign(string_view sign) {
  if (!is_sign(sign)) return false;
  ++at_;
  return true;
}

Answer<void> ExpressionParser::expect(string_view word) {
  if (!take(word)) return error();
  return {};
}

Answer<void> ExpressionParser::expect_sign(string_view sign) {
  if (!take_sign(sign)) return error();
  return {};
}

Answer<string> ExpressionParser::name() {
  const Token& token = next();
  if (token.kind == Token::Kind::word) return string(tokens_[at_++].written);
  if (token.kind == Token::Kind::name) return tokens_[at_++].text;
  return error();
}

Answer<void> ExpressionParser::enter() {
  if (depth_ == limits::sql_depth) return refuse::sql_too_deep();
  ++depth_;
  return {};
}

// NOLINTNEXTLINE(misc-no-recursion): limited
Answer<Expression> ExpressionParser::read_expression() {
  DINETTE_CHECK(enter());
  DINETTE_TRY(Expression expression, read_or());
  leave();
  return expression;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_or() {
  DINETTE_TRY(Expression left, read_xor());
  while (take("or") || take_sign("||")) {
    DINETTE_TRY(Expression right, read_xor());
    left = of_two(ReadKind::or_, std::move(left), std::move(right));
  }
  return left;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_xor() {
  DINETTE_TRY(Expression left, read_and());
  while (take("xor")) {
    DINETTE_TRY(Expression right, read_and());
    left = of_two(ReadKind::xor_, std::move(left), std::move(right));
  }
  return left;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_and() {
  DINETTE_TRY(Expression left, read_not());
  while (take("and") || take_sign("&&")) {
    DINETTE_TRY(Expression right, read_not());
    left = of_two(ReadKind::and_, std::move(left), std::move(right));
  }
  return left;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_not() {
  bool inverts = false;
  while (take("not")) inverts = !inverts;
  DINETTE_TRY(Expression inner, read_comparison());
  return inverted(std::move(inner), inverts);
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_comparison() {
  DINETTE_TRY(Expression left, read_bits(0));
  for (;;) {
    const auto kind = next().kind == Token::Kind::sign ? kind_of(comparisons, next().text) : std::nullopt;
    if (kind) {
      ++at_;
      DINETTE_TRY(left, read_compared(std::move(left), *kind));
      continue;
    }
    if (take("is")) {
      DINETTE_TRY(left, read_truth(std::move(left)));
      continue;
    }
    const bool inverts = take("not");
    if (!is("in") && !is("between") && !is("like")) {
      if (inverts) return error();
      return left;
    }
    DINETTE_TRY(left, read_list(std::move(left)));
    left = inverted(std::move(left), inverts);
  }
}

/// `= ANY (query)` is IN, `<> ALL (query)` is NOT IN. Other comparisons with all rows of a query are not
/// served.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_compared(Expression left, ReadKind kind) {
  const bool is_any = is("any") || is("some");
  if ((!is_any && !is("all")) || !is_sign("(", 1)) {
    DINETTE_TRY(Expression right, read_bits(0));
    return of_two(kind, std::move(left), std::move(right));
  }
  if (kind != (is_any ? ReadKind::equal : ReadKind::not_equal)) return refuse::sql_not_served();
  at_ += 2;
  Expression in = of_one(ReadKind::in_subquery, std::move(left));
  DINETTE_TRY(in.query, read_query());
  DINETTE_CHECK(expect_sign(")"));
  return inverted(std::move(in), !is_any);
}

Answer<Expression> ExpressionParser::read_truth(Expression left) {
  const bool inverts = take("not");
  const ReadKind kind = is("true") ? ReadKind::is_true : is("false") ? ReadKind::is_false : ReadKind::is_null;
  if (kind == ReadKind::is_null && !is("null") && !is("unknown")) return error();
  ++at_;
  return inverted(of_one(kind, std::move(left)), inverts);
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_list(Expression left) {
  if (take("like")) return read_like(std::move(left));
  if (take("between")) {
    DINETTE_TRY(Expression low, read_bits(0));
    DINETTE_CHECK(expect("and"));
    DINETTE_TRY(Expression high, read_bits(0));
    Expression between = of_two(ReadKind::between, std::move(left), std::move(low));
    between.inner.push_back(std::move(high));
    return between;
  }
  DINETTE_CHECK(expect("in"));
  DINETTE_CHECK(expect_sign("("));
  if (is_query()) {
    Expression in = of_one(ReadKind::in_subquery, std::move(left));
    DINETTE_TRY(in.query, read_query());
    DINETTE_CHECK(expect_sign(")"));
    return in;
  }
  return read_arguments(of_one(ReadKind::in, std::move(left)));
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_like(Expression left) {
  DINETTE_TRY(Expression pattern, read_bits(0));
  if (const auto* const text = std::get_if<string>(&pattern.value);
      text != nullptr && text->size() > limits::sql_pattern_bytes)
    return refuse::sql_pattern_too_long(static_cast<std::int64_t>(limits::sql_pattern_bytes));
  Expression like = of_two(ReadKind::like, std::move(left), std::move(pattern));
  if (take("escape")) {
    if (next().kind != Token::Kind::text || next().text.size() > 1) return error();
    like.value = tokens_[at_++].text;
  }
  return like;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_bits(std::size_t level) {
  if (level == bits.size()) return read_sum();
  DINETTE_TRY(Expression left, read_bits(level + 1));
  while (take_sign(bits[level].sign)) {
    DINETTE_TRY(Expression right, read_bits(level + 1));
    left = of_two(bits[level].kind, std::move(left), std::move(right));
  }
  return left;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_sum() {
  DINETTE_TRY(Expression left, read_product());
  while (is_sign("+") || is_sign("-")) {
    const bool subtracts = tokens_[at_++].text == "-";
    if (is("interval") && !is_sign("(", 1)) {
      DINETTE_TRY(left, read_interval(std::move(left), subtracts));
      continue;
    }
    DINETTE_TRY(Expression right, read_product());
    left = of_two(subtracts ? ReadKind::subtract : ReadKind::add, std::move(left), std::move(right));
  }
  return left;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_product() {
  DINETTE_TRY(Expression left, read_power());
  for (;;) {
    const bool is_operator = next().kind == Token::Kind::sign || next().kind == Token::Kind::word;
    const auto kind = is_operator ? kind_of(products, next().text) : std::nullopt;
    if (!kind) return left;
    ++at_;
    DINETTE_TRY(Expression right, read_power());
    left = of_two(*kind, std::move(left), std::move(right));
  }
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_power() {
  DINETTE_TRY(Expression left, read_operand());
  while (take_sign("^")) {
    DINETTE_TRY(Expression right, read_operand());
    left = of_two(ReadKind::bits_xor, std::move(left), std::move(right));
  }
  return left;
}

/// Signs before an operand are applied from the last one on.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_operand() {
  std::vector<ReadKind> signs;
  while (is_sign("-") || is_sign("+") || is_sign("!") || is_sign("~")) {
    const string& sign = tokens_[at_++].text;
    const bool again = sign == "-" && !signs.empty() && signs.back() == ReadKind::negate;
    if (again)
      signs.pop_back();
    else if (sign != "+")
      signs.push_back(sign == "-" ? ReadKind::negate : sign == "!" ? ReadKind::not_ : ReadKind::bits_not);
  }
  Expression operand;
  if (!signs.empty() && signs.back() == ReadKind::negate && is_least_negated(next())) {
    ++at_;
    signs.pop_back();
    operand = literal(std::numeric_limits<std::int64_t>::min());
  } else {
    // Each sign is an expression around the next one.
    if (signs.size() > limits::sql_depth - depth_) return refuse::sql_too_deep();
    depth_ += signs.size();
    DINETTE_TRY(operand, read_primary());
    depth_ -= signs.size();
  }
  for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) operand = of_one(*sign, std::move(operand));
  return operand;
}

/// `->` is JSON_EXTRACT, `->>` also takes the quotes away.
Answer<Expression> ExpressionParser::read_path(Expression left) {
  const bool unquotes = tokens_[at_++].text == "->>";
  if (next().kind != Token::Kind::text) return error();
  Inner arguments;
  arguments.push_back(std::move(left));
  arguments.push_back(literal(tokens_[at_++].text));
  DINETTE_TRY(Expression extract, call_of("json_extract", std::move(arguments)));
  if (!unquotes) return extract;
  Inner found;
  found.push_back(std::move(extract));
  return call_of("json_unquote", std::move(found));
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_primary() {
  if (take_sign("(")) {
    Expression inner;
    if (is_query()) {
      inner.kind = ReadKind::subquery;
      DINETTE_TRY(inner.query, read_query());
    } else {
      DINETTE_TRY(inner, read_expression());
    }
    DINETTE_CHECK(expect_sign(")"));
    return inner;
  }
  const Token& token = next();
  switch (token.kind) {
    case Token::Kind::text:
      return read_texts();
    case Token::Kind::bytes:
      ++at_;
      return literal(Bytes{token.text});
    case Token::Kind::whole:
    case Token::Kind::real:
      ++at_;
      return number(token);
    case Token::Kind::word:
    case Token::Kind::name:
      return read_word();
    default:
      return error();
  }
}

/// Texts next to each other are one.
Expression ExpressionParser::read_texts() {
  string text;
  while (next().kind == Token::Kind::text) text += tokens_[at_++].text;
  return literal(std::move(text));
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_word() {
  if (take("true")) return literal(true);
  if (take("false")) return literal(false);
  if (take("null")) return literal(SqlValue());
  if (take("case")) return read_case();
  if (is("exists")) return read_exists();
  const bool is_word = next().kind == Token::Kind::word;
  if (is_word && is_sign("(", 1)) return read_call();
  // DATE '2026-01-31' and its like.
  const bool is_typed = is("date") || is("time") || is("timestamp");
  if (is_typed && next(1).kind == Token::Kind::text) {
    const string type = tokens_[at_++].text;
    Inner arguments;
    arguments.push_back(literal(tokens_[at_++].text));
    return call_of(type, std::move(arguments));
  }
  if (is_word && std::ranges::find(bare_functions, next().text) != bare_functions.end())
    return call_of(tokens_[at_++].text, {});
  if (is_word && is_reserved(next().text)) return error();
  DINETTE_TRY(Expression column, read_column());
  if (is_sign("->") || is_sign("->>")) return read_path(std::move(column));
  return column;
}

Answer<Expression> ExpressionParser::read_column() {
  Expression column{.kind = ReadKind::column};
  DINETTE_TRY(column.column, name());
  if (take_sign(".")) {
    column.qualifier = std::move(column.column);
    DINETTE_TRY(column.column, name());
  }
  return column;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_case() {
  Expression result{.kind = ReadKind::case_when};
  if (!is("when")) {
    DINETTE_TRY(Expression value, read_expression());
    result.kind = ReadKind::case_of;
    result.inner.push_back(std::move(value));
  }
  if (!is("when")) return error();
  while (take("when")) {
    DINETTE_TRY(Expression condition, read_expression());
    result.inner.push_back(std::move(condition));
    DINETTE_CHECK(expect("then"));
    DINETTE_TRY(Expression value, read_expression());
    result.inner.push_back(std::move(value));
  }
  if (take("else")) {
    DINETTE_TRY(Expression value, read_expression());
    result.inner.push_back(std::move(value));
  }
  DINETTE_CHECK(expect("end"));
  return result;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_exists() {
  DINETTE_CHECK(expect("exists"));
  DINETTE_CHECK(expect_sign("("));
  Expression exists{.kind = ReadKind::exists};
  DINETTE_TRY(exists.query, read_query());
  DINETTE_CHECK(expect_sign(")"));
  return exists;
}

Answer<Expression> ExpressionParser::call_of(string_view function, Inner arguments) const {
  const bool formats = function == "from_unixtime" && arguments.size() == 2;
  const Function* const found = function_named(formats ? "from_unixtime format" : function);
  if (found == nullptr) return refuse::sql_unknown_function(function);
  if (arguments.size() < found->least || arguments.size() > found->most)
    return refuse::sql_wrong_arguments(function);
  return Expression{.kind = ReadKind::call, .inner = std::move(arguments), .function = found};
}

/// Reads what follows an opening parenthesis, up to the closing one.
// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_arguments(Expression outer) {
  do {
    DINETTE_TRY(Expression one, read_expression());
    outer.inner.push_back(std::move(one));
  } while (take_sign(","));
  DINETTE_CHECK(expect_sign(")"));
  return outer;
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_call() {
  const string function = tokens_[at_++].text;
  DINETTE_CHECK(expect_sign("("));
  if (const auto kind = kind_of(aggregates, function)) return read_aggregate(*kind);
  if (const auto kind = kind_of(search_functions, function)) return read_arguments({.kind = *kind});
  for (const string_view special :
       {"cast", "convert", "trim", "substring", "substr", "mid", "position", "extract", "timestampdiff",
        "timestampadd", "date_add", "adddate", "date_sub", "subdate"})
    if (function == special) return read_special(function);
  const Function* const found = function_named(function);
  if (found == nullptr) return refuse::sql_unknown_function(function);
  if (found->least == 0 && take_sign(")")) return call_of(function, {});
  DINETTE_TRY(Expression arguments, read_arguments({}));
  return call_of(function, std::move(arguments.inner));
}

// NOLINTNEXTLINE(misc-no-recursion)
Answer<Expression> ExpressionParser::read_aggregate(ReadKind kind) {
  Expression aggregate{.kind = kind};
  if (kind == ReadKind::count && take_sign("*")) {
    DINETTE_CHECK(expect_sign(")"));
    return aggregate;
  }
  aggregate.is_distinct = take("distinct");
  const bool may_have_several = kind == ReadKind::count && aggregate.is_distinct;
  if (!aggregate.is_distinct) take("all");
  DINETTE_TRY(Expression read, read_arguments(std::move(aggregate)));
  if (std::ranges::any_of(read.inner, has_aggregate)) return refuse::sql_aggregate_inside();
  if (read.inner.size() > 1 && !may_have_several) return error();
  return read;
}

}  // namespace dinette::tablestore::sql
