#include "tablestore/sql/expression.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "tablestore/api/limits.h"

namespace dinette::tablestore::sql {
namespace {

using Kind = Expression::Kind;

struct LessSql {
  bool operator()(const SqlValue& a, const SqlValue& b) const { return order_of(a, b) < 0; }
};

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

/// Of two integers an integer, unless it is too large, which is NULL, as is a division by zero.
SqlValue calculate(Kind kind, const SqlValue& a, const SqlValue& b) {
  if (is_null(a) || is_null(b)) return {};
  const auto* const left = std::get_if<std::int64_t>(&a);
  const auto* const right = std::get_if<std::int64_t>(&b);
  const bool whole = left != nullptr && right != nullptr && kind != Kind::divide;
  std::int64_t result = 0;
  if (whole && kind == Kind::add) return __builtin_add_overflow(*left, *right, &result) ? SqlValue() : result;
  if (whole && kind == Kind::subtract)
    return __builtin_sub_overflow(*left, *right, &result) ? SqlValue() : result;
  if (whole && kind == Kind::multiply)
    return __builtin_mul_overflow(*left, *right, &result) ? SqlValue() : result;
  if (whole) {
    if (*right == 0) return {};
    return *right == -1 ? std::int64_t{0} : *left % *right;
  }
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
    default:
      return y == 0 ? SqlValue() : finite(std::fmod(x, y));
  }
}

SqlValue negated(const SqlValue& value) {
  return calculate(Kind::subtract, std::int64_t{0}, value);
}

/// A pattern that is too long, which then comes from a column, is NULL.
SqlValue like(const SqlValue& text, const SqlValue& pattern) {
  const auto* const subject = std::get_if<std::string>(&text);
  const auto* const wanted = std::get_if<std::string>(&pattern);
  if (subject == nullptr || wanted == nullptr || wanted->size() > limits::sql_pattern_bytes) return {};
  return truth(is_like(*subject, *wanted));
}

SqlValue value_of(const std::optional<Moment>& moment) {
  return moment ? SqlValue(*moment) : SqlValue();
}

SqlValue from_unixtime(const SqlValue& seconds) {
  const auto number = number_of(seconds);
  return number ? value_of(moment_of_seconds(*number)) : SqlValue();
}

SqlValue timediff(const SqlValue& of, const SqlValue& from) {
  const auto end = moment_of(of);
  const auto begin = moment_of(from);
  return end && begin ? value_of(difference(*end, *begin)) : SqlValue();
}

SqlValue date(const SqlValue& value) {
  const auto moment = moment_of(value);
  return moment ? value_of(day_of(*moment)) : SqlValue();
}

/// Evaluates an expression on rows.
class Evaluation {
 public:
  explicit Evaluation(SqlRows rows) : rows_(rows) {}

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the parser lets it be
  SqlValue of(const Expression& expression) const {
    if (expression.is_aggregate()) return aggregate(expression);
    const auto& inner = expression.inner;
    switch (expression.kind) {
      case Kind::literal:
        return expression.value;
      case Kind::column:
        return rows_.empty() ? SqlValue() : (*rows_.front())[expression.place];
      case Kind::or_:
      case Kind::and_:
        return junction(expression);
      case Kind::like:
        return like(of(inner[0]), of(inner[1]));
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
      case Kind::from_unixtime:
        return from_unixtime(of(inner[0]));
      case Kind::timediff:
        return timediff(of(inner[0]), of(inner[1]));
      case Kind::date:
        return date(of(inner[0]));
      case Kind::add:
      case Kind::subtract:
      case Kind::multiply:
      case Kind::divide:
      case Kind::modulo:
        return calculate(expression.kind, of(inner[0]), of(inner[1]));
      default: {
        const auto order = compare(of(inner[0]), of(inner[1]));
        return order ? truth(holds(expression.kind, *order)) : SqlValue();
      }
    }
  }

 private:
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
  SqlValue is_in(const Expression& expression) const {
    const SqlValue value = of(expression.inner[0]);
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
    const auto low = compare(value, of(expression.inner[1]));
    const auto high = compare(value, of(expression.inner[2]));
    if ((low && *low < 0) || (high && *high > 0)) return truth(false);
    return low && high ? truth(true) : SqlValue();
  }

  /// Returns the values of all rows that are not NULL.
  // NOLINTNEXTLINE(misc-no-recursion)
  std::vector<SqlValue> values_of(const Expression& expression) const {
    std::vector<SqlValue> values;
    std::set<SqlValue, LessSql> known;
    for (const SqlRow* const row : rows_) {
      SqlValue value = Evaluation(SqlRows(&row, 1)).of(expression.inner[0]);
      if (is_null(value) || (expression.is_distinct && !known.insert(value).second)) continue;
      values.push_back(std::move(value));
    }
    return values;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  SqlValue aggregate(const Expression& expression) const {
    if (expression.inner.empty()) return static_cast<std::int64_t>(rows_.size());
    const std::vector<SqlValue> values = values_of(expression);
    if (expression.kind == Kind::count) return static_cast<std::int64_t>(values.size());
    if (values.empty()) return {};
    if (expression.kind == Kind::min) return *std::ranges::min_element(values, LessSql());
    if (expression.kind == Kind::max) return *std::ranges::max_element(values, LessSql());
    double sum = 0;
    for (const SqlValue& value : values) sum += *number_of(value);
    return finite(expression.kind == Kind::sum ? sum : sum / static_cast<double>(values.size()));
  }

  const SqlRows rows_;
};

}  // namespace

SqlValue evaluate(const Expression& expression, SqlRows rows) {
  return Evaluation(rows).of(expression);
}

// NOLINTNEXTLINE(misc-no-recursion)
bool has_aggregate(const Expression& expression) {
  return expression.is_aggregate() || std::ranges::any_of(expression.inner, has_aggregate);
}

}  // namespace dinette::tablestore::sql
