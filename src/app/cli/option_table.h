#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

enum class OptionGroup { address, clients, tls, storage, behaviour, logs, local, transfer, tools, help };

/// Which commands take an option. `none`: the commands that take only what all take.
enum class TakenBy {
  serve,
  healthcheck,
  export_tables,
  import_tables,
  pull,
  listen,
  check_folder,
  mcp,
  doctor,
  tables,
  policy,
  row_size,
  none,
  all
};

/// Returns true if a command that is `command`, or its help, takes such an option.
constexpr bool is_taken(TakenBy taken_by, TakenBy command) {
  return taken_by == TakenBy::all || taken_by == command;
}

/// Success, or a sentence that says what is wrong with a value and what a good one looks like.
using Applied = base::Result<void, std::string>;

/// One option in all its spellings: `--name`, `-letter`, and `-local` as in DynamoDB Local.
struct OptionSpec {
  OptionGroup group;
  TakenBy taken_by;
  std::string_view name;      ///< GNU spelling without its dashes; empty: none
  std::string_view local;     ///< DynamoDB Local's spelling without its dash; empty: none
  char letter;                ///< 0: none
  std::string_view value;     ///< the value's name in the help; empty: none; in brackets: it may be left out
  std::string_view fallback;  ///< the default as the help shows it; empty: not shown
  std::string_view help;
  Applied (*apply)(Options& options, std::string_view value);
};

/// Returns true if the value of an option may be left out.
constexpr bool has_optional_value(const OptionSpec& option) {
  return option.value.starts_with('[');
}

/// Returns all options, in the order of the help.
std::span<const OptionSpec> option_table();

/// Returns the heading of a group in the help.
std::string_view title_of(OptionGroup group);

/// Returns the option as a user would type it: "--port", or "-inMemory" if only DynamoDB Local's spelling
/// exists.
std::string spelling_of(const OptionSpec& option);

}  // namespace dinette::app
