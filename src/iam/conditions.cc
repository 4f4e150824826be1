#include "iam/conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/ascii.h"
#include "dinette/base/iso_time.h"
#include "dinette/base/network.h"

#include "iam/pattern.h"

namespace dinette::iam {
namespace {

struct OperatorName {
  std::string_view name;
  Comparison comparison;
  bool negated = false;
};

constexpr std::array operators{
    OperatorName{"StringEquals", Comparison::string_equals},
    OperatorName{"StringNotEquals", Comparison::string_equals, true},
    OperatorName{"StringEqualsIgnoreCase", Comparison::string_equals_ignore_case},
    OperatorName{"StringNotEqualsIgnoreCase", Comparison::string_equals_ignore_case, true},
    OperatorName{"StringLike", Comparison::string_like},
    OperatorName{"StringNotLike", Comparison::string_like, true},
    OperatorName{"NumericEquals", Comparison::numeric_equals},
    OperatorName{"NumericNotEquals", Comparison::numeric_equals, true},
    OperatorName{"NumericLessThan", Comparison::numeric_less},
    OperatorName{"NumericLessThanEquals", Comparison::numeric_less_equals},
    OperatorName{"NumericGreaterThan", Comparison::numeric_greater},
    OperatorName{"NumericGreaterThanEquals", Comparison::numeric_greater_equals},
    OperatorName{"DateEquals", Comparison::date_equals},
    OperatorName{"DateNotEquals", Comparison::date_equals, true},
    OperatorName{"DateLessThan", Comparison::date_less},
    OperatorName{"DateLessThanEquals", Comparison::date_less_equals},
    OperatorName{"DateGreaterThan", Comparison::date_greater},
    OperatorName{"DateGreaterThanEquals", Comparison::date_greater_equals},
    OperatorName{"Bool", Comparison::boolean},
    OperatorName{"BinaryEquals", Comparison::binary_equals},
    OperatorName{"IpAddress", Comparison::ip_address},
    OperatorName{"NotIpAddress", Comparison::ip_address, true},
    // ArnEquals and ArnLike behave alike, says the guide.
    OperatorName{"ArnEquals", Comparison::arn_like},
    OperatorName{"ArnNotEquals", Comparison::arn_like, true},
    OperatorName{"ArnLike", Comparison::arn_like},
    OperatorName{"ArnNotLike", Comparison::arn_like, true},
    OperatorName{"Null", Comparison::null},
};

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A time as the guide allows it: the forms of ISO 8601 of the W3C, from "2026" on, or epoch seconds.
std::optional<double> moment_of(std::string_view text) {
  constexpr std::string_view start_of_year = "0000-01-01T00:00:00Z";
  if (text.size() > 4 && std::ranges::all_of(text, base::is_digit)) return number_of(text);
  std::string whole(text);
  if (text.size() == 4 || text.size() == 7 || text.size() == 10) whole += start_of_year.substr(text.size());
  const auto time = base::parse_time(whole);
  if (!time) return std::nullopt;
  return std::chrono::duration<double>(time->time_since_epoch()).count();
}

bool is_in_order(Comparison comparison, std::optional<double> actual, std::optional<double> wanted) {
  if (!actual || !wanted) return false;
  switch (comparison) {
    case Comparison::numeric_equals:
    case Comparison::date_equals:
      return *actual == *wanted;
    case Comparison::numeric_less:
    case Comparison::date_less:
      return *actual < *wanted;
    case Comparison::numeric_less_equals:
    case Comparison::date_less_equals:
      return *actual <= *wanted;
    case Comparison::numeric_greater:
    case Comparison::date_greater:
      return *actual > *wanted;
    default:
      return *actual >= *wanted;
  }
}

/// Compares texts that may have variables. One that the request does not have matches nothing.
bool is_same_text(Comparison comparison, std::string_view actual, std::string_view wanted,
                  const RequestContext* variables) {
  const auto symbols = expand(wanted, variables);
  if (!symbols) return false;
  switch (comparison) {
    case Comparison::string_like:
      return matches(*symbols, actual);
    case Comparison::arn_like:
      return matches_arn(*symbols, actual);
    case Comparison::string_equals_ignore_case:
      return base::equal_ignoring_case(plain_text(*symbols), actual);
    default:
      return plain_text(*symbols) == actual;
  }
}

bool is_in_network(std::string_view address, std::string_view range) {
  const auto network = base::Network::of(range);
  return network && network->has(address);
}

bool fits(Comparison comparison, std::string_view actual, std::string_view wanted,
          const RequestContext* variables) {
  switch (comparison) {
    case Comparison::string_equals:
    case Comparison::string_equals_ignore_case:
    case Comparison::string_like:
    case Comparison::arn_like:
      return is_same_text(comparison, actual, wanted, variables);
    case Comparison::numeric_equals:
    case Comparison::numeric_less:
    case Comparison::numeric_less_equals:
    case Comparison::numeric_greater:
    case Comparison::numeric_greater_equals:
      return is_in_order(comparison, number_of(actual), number_of(wanted));
    case Comparison::date_equals:
    case Comparison::date_less:
    case Comparison::date_less_equals:
    case Comparison::date_greater:
    case Comparison::date_greater_equals:
      return is_in_order(comparison, moment_of(actual), moment_of(wanted));
    case Comparison::boolean:
      return base::equal_ignoring_case(actual, wanted);
    case Comparison::binary_equals:
      return actual == wanted;
    case Comparison::ip_address:
      return is_in_network(actual, wanted);
    case Comparison::null:
      return false;  // is about keys, not values
  }
  return false;
}

}  // namespace

bool read_operator(std::string_view name, ConditionOperator& out) {
  out = {};
  if (take_prefix(name, "ForAllValues:")) {
    out.quantifier = Quantifier::for_all_values;
  } else if (take_prefix(name, "ForAnyValue:")) {
    out.quantifier = Quantifier::for_any_value;
  }
  if (name.ends_with("IfExists")) {
    out.if_exists = true;
    name.remove_suffix(std::string_view("IfExists").size());
  }
  const auto found = std::ranges::find(operators, name, &OperatorName::name);
  if (found == operators.end()) return false;
  out.comparison = found->comparison;
  out.negated = found->negated;
  // The guide: "You can add IfExists to the end of any condition operator name except the Null condition".
  return out.comparison != Comparison::null || !out.if_exists;
}

bool holds(const Condition& condition, const RequestContext& context, bool has_variables) {
  const auto [comparison, negated, if_exists, quantifier] = condition.op;
  const RequestContext::Values* const actual = context.find(condition.key);
  const bool absent = actual == nullptr || actual->empty();
  if (comparison == Comparison::null) {
    const std::string_view wanted = absent ? "true" : "false";
    return std::ranges::any_of(condition.values,
                               [&](const auto& value) { return base::equal_ignoring_case(value, wanted); });
  }
  if (absent) {
    if (if_exists || quantifier == Quantifier::for_all_values) return true;
    return negated && quantifier == Quantifier::none;
  }
  const RequestContext* const variables = has_variables ? &context : nullptr;
  const auto is_listed = [&](const std::string& value) {
    return std::ranges::any_of(condition.values, [&](const std::string& wanted) {
      return fits(condition.op.comparison, value, wanted, variables);
    });
  };
  const auto is_not_listed = [&](const std::string& value) { return !is_listed(value); };
  // Without a set operator all values of the request count together, as if there were one.
  const bool of_all = quantifier == Quantifier::for_all_values || (negated && quantifier == Quantifier::none);
  if (of_all)
    return negated ? std::ranges::none_of(*actual, is_listed) : std::ranges::all_of(*actual, is_listed);
  return negated ? std::ranges::any_of(*actual, is_not_listed) : std::ranges::any_of(*actual, is_listed);
}

}  // namespace dinette::iam
