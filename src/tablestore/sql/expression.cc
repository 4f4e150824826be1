#include "tablestore/sql/expression.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using Kind = Expression::Kind;

SqlValue truth(std::optional<bool> known) {
  return known ? SqlValue(std::int64_t{*known ? 1 : 0}) : SqlValue();
}

std::optional<bool> truth_of(const SqlValue& value) {
  if (is_null(value)) return std::nullopt;
  return is_true(value);
}

bool holds(Kind kind, int order) {
  switch (kind) {
    case Kind::equal:
      return order == 0;
    case Kind::not_equal:
      return order != 0;
    case Kind::less:
      return order < 0;
    case Kind::less_equal:
      return order <= 0;
    case Kind::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

SqlValue finite(double number) {
  return std::isfinite(number) ? SqlValue(number) : SqlValue();
}

/// Returns the whole part; NULL if it is too large for an integer.
SqlValue whole_or_null(double number) {
  constexpr double end = 9.2233720368547758e18;
  return std::abs(number) < end ? SqlValue(static_cast<std::int64_t>(number)) : SqlValue();
}

/// Of integers; other numbers are rounded to one.
SqlValue of_bits(Kind kind, const SqlValue& a, const SqlValue& b) {
  const auto left = whole_argument(a);
  const auto right = whole_argument(b);
  if (!left || !right) return {};
  return kind == Kind::bits_and ? *left & *right : kind == Kind::bits_or ? *left | *right : *left ^ *right;
}

/// NULL is neither true nor false.
SqlValue is_known(Kind kind, const SqlValue& value) {
  return truth(!is_null(value) && is_true(value) == (kind == Kind::is_true));
}

/// Returns the value of an integer, as which a truth counts.
std::optional<std::int64_t> integer_in(const SqlValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return *whole;
  const auto* const truth = std::get_if<bool>(&value);
  return truth != nullptr ? std::optional<std::int64_t>(*truth ? 1 : 0) : std::nullopt;
}

/// Of two integers an integer, unless it is too large, which is NULL, as is a division by zero.
SqlValue calculate(Kind kind, const SqlValue& a, const SqlValue& b) {
  if (is_null(a) || is_null(b)) return {};
  const auto left = integer_in(a);
  const auto right = integer_in(b);
  const bool whole = left && right && kind != Kind::divide;
  std::int64_t result = 0;
  if (whole && kind == Kind::add) return __builtin_add_overflow(*left, *right, &result) ? SqlValue() : result;
  if (whole && kind == Kind::subtract)
    return __builtin_sub_overflow(*left, *right, &result) ? SqlValue() : result;
  if (whole && kind == Kind::multiply)
    return __builtin_mul_overflow(*left, *right, &result) ? SqlValue() : result;
  if (whole && kind == Kind::modulo) {
    if (*right == 0) return {};
    return *right == -1 ? std::int64_t{0} : *left % *right;
  }
  if (whole && *right == -1) return __builtin_sub_overflow(0, *left, &result) ? SqlValue() : result;
  if (whole && *right != 0) return *left / *right;
  const double x = *number_of(a);
  const double y = *number_of(b);
  switch (kind) {
    case Kind::add:
      return finite(x + y);
    case Kind::subtract:
      return finite(x - y);
    case Kind::multiply:
      return finite(x * y);
    case Kind::divide:
      return y == 0 ? SqlValue() : finite(x / y);
    case Kind::divide_whole:
      return y == 0 ? SqlValue() : whole_or_null(x / y);
    default:
      return y == 0 ? SqlValue() : finite(std::fmod(x, y));
  }
}

SqlValue negated(const SqlValue& value) {
  return calculate(Kind::subtract, std::int64_t{0}, value);
}

/// A pattern that is too long, which then comes from a column, is NULL.
SqlValue like(const SqlValue& text, const SqlValue& pattern, const SqlValue& escape, Budget* budget) {
  if (is_null(text) || is_null(pattern)) return {};
  const std::string wanted = text_of(pattern);
  if (wanted.size() > limits::sql_pattern_bytes) return {};
  const auto* const sign = std::get_if<std::string>(&escape);
  const char escapes = sign == nullptr ? '\\' : sign->empty() ? '\0' : sign->front();
  if (budget != nullptr) budget->spend_bytes(text_size(text));
  return truth(is_like(text_of(text), wanted, escapes, budget));
}

/// The values of both sides of an operator.
struct Operands {
  SqlValue left;
  SqlValue right;
};

/// What an aggregate keeps of the values that it has seen.
class Fold {
 public:
  explicit Fold(Kind kind) : kind_(kind) {}

  void add(SqlValue&& value) {
    const bool is_first = count_++ == 0;
    if (kind_ == Kind::sum || kind_ == Kind::avg) sum_ += *number_of(value);
    if (kind_ == Kind::min && (is_first || order_of(value, extreme_) < 0)) extreme_ = std::move(value);
    if (kind_ == Kind::max && (is_first || order_of(value, extreme_) > 0)) extreme_ = std::move(value);
  }

  /// Of no values there is a count alone.
  SqlValue result() && {
    if (kind_ == Kind::count) return count_;
    if (kind_ == Kind::min || kind_ == Kind::max) return std::move(extreme_);
    if (count_ == 0) return {};
    return finite(kind_ == Kind::sum ? sum_ : sum_ / static_cast<double>(count_));
  }

 private:
  const Kind kind_;
  std::int64_t count_ = 0;
  double sum_ = 0;
  SqlValue extreme_;
};

/// Evaluates an expression on rows.
class Evaluation {
 public:
  Evaluation(SqlRows rows, const Environment& environment) : rows_(rows), environment_(environment) {}

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
  SqlValue of(const Expression& expression) const {
    if (environment_.budget != nullptr && environment_.budget->is_spent()) return {};
    if (expression.is_aggregate()) return aggregate(expression);
    const auto& inner = expression.inner;
    switch (expression.kind) {
      case Kind::literal:
        return counted(expression.value);
      case Kind::column:
        return rows_.empty() ? SqlValue() : counted((*rows_.front())[expression.place]);
      case Kind::or_:
      case Kind::and_:
        return junction(expression);
      case Kind::not_: {
        const auto known = truth_of(of(inner[0]));
        return known ? truth(!*known) : SqlValue();
      }
      case Kind::negate:
        return negated(of(inner[0]));
      case Kind::is_null:
        return truth(is_null(of(inner[0])));
      case Kind::in:
        return is_in(expression);
      case Kind::between:
        return is_between(expression);
      case Kind::is_true:
      case Kind::is_false:
        return is_known(expression.kind, of(inner[0]));
      case Kind::xor_:
        return exclusive(expression);
      case Kind::case_of:
      case Kind::case_when:
        return chosen(expression);
      case Kind::call:
        return called(expression);
      case Kind::subquery:
      case Kind::exists:
      case Kind::in_subquery:
        return environment_.query ? counted(environment_.query(expression, rows_)) : SqlValue();
      case Kind::text_match:
      case Kind::text_match_phrase:
      case Kind::nested_query:
      case Kind::array_extract:
        return {};
      case Kind::bits_not:
        return of_bits(Kind::bits_xor, of(inner[0]), std::int64_t{-1});
      default:
        return of_two(expression);
    }
  }

  /// Returns the values of expressions, which are held as long as `held` is there.
  // NOLINTNEXTLINE(misc-no-recursion)
  SqlRow values_of(const std::vector<Expression>& expressions, HeldBytes& held) const {
    SqlRow values;
    values.reserve(expressions.size());
    for (const Expression& expression : expressions)
      held.take(sizeof(SqlValue) + text_size(values.emplace_back(of(expression))));
    return values;
  }

 private:
  /// Texts are work: each copy of one is counted.
  SqlValue counted(SqlValue value) const {
    if (environment_.budget != nullptr) environment_.budget->spend_copy(text_size(value));
    return value;
  }

  /// What a function looks at counts before it is called, as it may take long.
  bool can_call(const Function& function, const SqlRow& arguments) const {
    if (environment_.budget == nullptr) return true;
    std::size_t bytes = 0;
    for (const SqlValue& argument : arguments) bytes += text_size(argument);
    environment_.budget->spend_bytes(function.weight * bytes);
    return !environment_.budget->is_spent();
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Operands operands(const Expression& expression) const {
    Operands both{.left = of(expression.inner[0]), .right = {}};
    HeldBytes held(environment_.budget);
    held.take(text_size(both.left));
    both.right = of(expression.inner[1]);
    return both;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue of_two(const Expression& expression) const {
    const auto [left, right] = operands(expression);
    switch (expression.kind) {
      case Kind::like:
        return like(left, right, expression.value, environment_.budget);
      case Kind::null_safe_equal:
        return truth(is_null(left) || is_null(right) ? is_null(left) && is_null(right)
                                                     : compare(left, right) == 0);
      case Kind::bits_and:
      case Kind::bits_or:
      case Kind::bits_xor:
        return of_bits(expression.kind, left, right);
      case Kind::divide_whole:
      case Kind::add:
      case Kind::subtract:
      case Kind::multiply:
      case Kind::divide:
      case Kind::modulo:
        return calculate(expression.kind, left, right);
      default: {
        const auto order = compare(left, right);
        return order ? truth(holds(expression.kind, *order)) : SqlValue();
      }
    }
  }

  /// What is not known does not matter if the other side decides.
  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue junction(const Expression& expression) const {
    const bool decides = expression.kind == Kind::or_;
    const auto left = truth_of(of(expression.inner[0]));
    if (left && *left == decides) return truth(decides);
    const auto right = truth_of(of(expression.inner[1]));
    if (right && *right == decides) return truth(decides);
    return left && right ? truth(!decides) : SqlValue();
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue exclusive(const Expression& expression) const {
    const auto left = truth_of(of(expression.inner[0]));
    const auto right = truth_of(of(expression.inner[1]));
    return left && right ? truth(*left != *right) : SqlValue();
  }

  /// The first result whose value is equal, or whose condition holds; then what is left at the end, or NULL.
  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue chosen(const Expression& expression) const {
    const bool has_value = expression.kind == Kind::case_of;
    const auto& inner = expression.inner;
    const SqlValue value = has_value ? of(inner[0]) : SqlValue();
    HeldBytes held(environment_.budget);
    held.take(text_size(value));
    std::size_t i = has_value ? 1 : 0;
    for (; i + 1 < inner.size(); i += 2) {
      const SqlValue tested = of(inner[i]);
      if (has_value ? compare(value, tested) == 0 : is_true(tested)) return of(inner[i + 1]);
    }
    return i < inner.size() ? of(inner[i]) : SqlValue();
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue called(const Expression& expression) const {
    HeldBytes held(environment_.budget);
    const SqlRow arguments = values_of(expression.inner, held);
    if (!can_call(*expression.function, arguments)) return {};
    SqlValue value = call(*expression.function, arguments, environment_);
    if (environment_.budget != nullptr)
      environment_.budget->spend_bytes(expression.function->weight * text_size(value));
    return value;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue is_in(const Expression& expression) const {
    const SqlValue value = of(expression.inner[0]);
    HeldBytes held(environment_.budget);
    held.take(text_size(value));
    bool unknown = is_null(value);
    for (std::size_t i = 1; i < expression.inner.size(); ++i) {
      const auto order = compare(value, of(expression.inner[i]));
      if (order == 0) return truth(true);
      unknown |= !order;
    }
    return unknown ? SqlValue() : truth(false);
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue is_between(const Expression& expression) const {
    const SqlValue value = of(expression.inner[0]);
    HeldBytes held(environment_.budget);
    held.take(text_size(value));
    const auto low = compare(value, of(expression.inner[1]));
    const auto high = compare(value, of(expression.inner[2]));
    if ((low && *low < 0) || (high && *high > 0)) return truth(false);
    return low && high ? truth(true) : SqlValue();
  }

  /// Of the values of all rows that are not NULL; of several arguments of the first one, where none is.
  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue aggregate(const Expression& expression) const {
    if (expression.inner.empty()) return static_cast<std::int64_t>(rows_.size());
    Fold fold(expression.kind);
    std::set<SqlRow, LessTuple> known;
    HeldBytes held(environment_.budget);
    for (const SqlRow* const row : rows_) {
      HeldBytes own(environment_.budget);
      SqlRow tuple = Evaluation(SqlRows(&row, 1), environment_).values_of(expression.inner, own);
      if (std::ranges::any_of(tuple, is_null)) continue;
      if (!expression.is_distinct) {
        fold.add(std::move(tuple.front()));
        continue;
      }
      const auto [place, is_new] = known.insert(std::move(tuple));
      if (!is_new) continue;
      held.take(sizeof(SqlRow) + own.bytes());
      fold.add(SqlValue(place->front()));
    }
    return std::move(fold).result();
  }

  struct LessTuple {
    bool operator()(const SqlRow& a, const SqlRow& b) const {
      return std::ranges::lexicographical_compare(a, b, LessSql());
    }
  };

  const SqlRows rows_;
  const Environment& environment_;
};

}  // namespace

SqlValue evaluate(const Expression& expression, SqlRows rows, const Environment& environment) {
  return Evaluation(rows, environment).of(expression);
}

// NOLINTNEXTLINE(misc-no-recursion)
bool has_aggregate(const Expression& expression) {
  return expression.is_aggregate() || std::ranges::any_of(expression.inner, has_aggregate);
}

// NOLINTNEXTLINE(misc-no-recursion)
std::size_t weight_of(const Expression& expression) {
  constexpr std::size_t bytes_of_part = 1024;
  std::size_t weight = 1 + text_size(expression.value) / bytes_of_part;
  for (const Expression& inner : expression.inner) weight += weight_of(inner);
  return weight;
}

}  // namespace dinette::tablestore::sql
