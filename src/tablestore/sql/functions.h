#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tablestore/sql/expression.h"

/// The scalar functions (tablestore/sql.md section 6). Each is a row of a table: its name, how many arguments
/// it has, what it returns, and what computes it.
namespace dinette::tablestore::sql {

using Arguments = std::span<const SqlValue>;

/// The type of a function's column in results.
enum class Returns : std::uint8_t {
  values,  ///< the type of its values
  whole,
  real,
  text,
  datetime,
  date,
  time
};

struct Function {
  std::string_view name;
  std::uint8_t least;
  std::uint8_t most;
  Returns returns;
  bool takes_null;  ///< else it is NULL if an argument is
  SqlValue (*evaluate)(Arguments arguments, const Environment& environment);
  std::uint8_t weight = 1;  ///< how much a byte of its texts costs
};

inline constexpr std::uint8_t any_number = 255;

/// Returns the function of a name in lower case, or null.
const Function* function_named(std::string_view name);

SqlValue call(const Function& function, Arguments arguments, const Environment& environment);

// Their tables.

std::span<const Function> text_functions();
std::span<const Function> number_functions();
std::span<const Function> date_functions();
std::span<const Function> date_formats();
std::span<const Function> date_arithmetic();
std::span<const Function> json_functions();

/// Returns a text, or NULL if it is longer than functions may make (limits).
SqlValue bounded(std::string text);

/// The same of a function that makes a text of short arguments: the work counts also if it was in vain.
SqlValue bounded(std::string text, const Environment& environment);

/// Returns a number as an integer, rounded; of one that is too large the nearest that there is.
std::int64_t nearest_whole(double number);

/// Returns the argument as an integer, rounded; nothing if it is no number that is one.
std::optional<std::int64_t> whole_argument(const SqlValue& value);

/// Returns a text that an object in JSON has as a member; empty if there is none.
std::string text_member(std::string_view document, const std::string& name);

/// Returns true for a unit of time in lower case, such as `day`; `has_several`: or one such as `day_hour`.
bool is_unit_of_time(std::string_view name, bool has_several);

/// Adds an amount to a date or time, as `DATE_ADD(value, INTERVAL amount unit)`; NULL if it cannot.
SqlValue add_interval(const SqlValue& value, const SqlValue& amount, std::string_view unit, bool subtracts);

}  // namespace dinette::tablestore::sql
