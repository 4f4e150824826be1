#include "tablestore/sql/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "tablestore/api/limits.h"

namespace dinette::tablestore::sql {
namespace {

SqlValue if_else(Arguments arguments, const Environment&) {
  return is_true(arguments[0]) ? arguments[1] : arguments[2];
}

SqlValue coalesce(Arguments arguments, const Environment&) {
  const auto found = std::ranges::find_if_not(arguments, is_null);
  return found == arguments.end() ? SqlValue() : *found;
}

SqlValue null_if(Arguments arguments, const Environment&) {
  return compare(arguments[0], arguments[1]) == 0 ? SqlValue() : arguments[0];
}

SqlValue is_null_value(Arguments arguments, const Environment&) {
  return std::int64_t{is_null(arguments[0]) ? 1 : 0};
}

/// NULL if one of the arguments is.
template <bool greatest>
SqlValue extreme(Arguments arguments, const Environment&) {
  const auto precedes = [](const SqlValue& a, const SqlValue& b) { return order_of(a, b) < 0; };
  return greatest ? *std::ranges::max_element(arguments, precedes)
                  : *std::ranges::min_element(arguments, precedes);
}

constexpr std::array control_functions{
    Function{"if", 3, 3, Returns::values, true, if_else},
    Function{"ifnull", 2, 2, Returns::values, true, coalesce},
    Function{"coalesce", 1, any_number, Returns::values, true, coalesce},
    Function{"nullif", 2, 2, Returns::values, true, null_if},
    Function{"isnull", 1, 1, Returns::whole, true, is_null_value},
    Function{"greatest", 2, any_number, Returns::values, false, extreme<true>},
    Function{"least", 2, any_number, Returns::values, false, extreme<false>},
};

}  // namespace

const Function* function_named(std::string_view name) {
  const std::array<std::span<const Function>, 7> tables{
      control_functions, text_functions(),  number_functions(), date_functions(),
      date_formats(),    date_arithmetic(), json_functions()};
  for (const auto& table : tables) {
    const auto found = std::ranges::find(table, name, &Function::name);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

SqlValue call(const Function& function, Arguments arguments, const Environment& environment) {
  if (!function.takes_null && std::ranges::any_of(arguments, is_null)) return {};
  return function.evaluate(arguments, environment);
}

SqlValue bounded(std::string text) {
  return text.size() > limits::sql_text_bytes ? SqlValue() : SqlValue(std::move(text));
}

SqlValue bounded(std::string text, const Environment& environment) {
  const bool is_wasted = text.size() > limits::sql_text_bytes;
  if (is_wasted && environment.budget != nullptr) environment.budget->spend_bytes(text.size());
  return bounded(std::move(text));
}

std::int64_t nearest_whole(double number) {
  constexpr double end = 0x1p63;
  using Limits = std::numeric_limits<std::int64_t>;
  if (number >= end) return Limits::max();
  return number < -end ? Limits::min() : std::llround(number);
}

std::optional<std::int64_t> whole_argument(const SqlValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return *whole;
  const auto number = number_of(value);
  constexpr double end = 9.2e18;
  if (!number || !(std::abs(*number) < end)) return std::nullopt;
  return std::llround(*number);
}

}  // namespace dinette::tablestore::sql
