#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

enum class OptionGroup { address, clients, tls, behaviour, logs, local, help };

/// Which commands take an option.
enum class TakenBy { serve, healthcheck, both };

/// Nothing, or a sentence that says what is wrong with a value and what a good one looks like.
using Applied = base::Result<void, std::string>;

/// One option, however it is spelt: `--name`, `-letter`, or `-local` as DynamoDB Local spells it.
struct OptionSpec {
  OptionGroup group;
  TakenBy taken_by;
  std::string_view name;      ///< GNU spelling without its dashes; empty: there is none
  std::string_view local;     ///< DynamoDB Local's spelling without its dash; empty: there is none
  char letter;                ///< 0: there is none
  std::string_view value;     ///< what the help calls the value; empty: the option takes none
  std::string_view fallback;  ///< default as the help shows it; empty: nothing worth showing
  std::string_view help;
  Applied (*apply)(Options& options, std::string_view value);
};

/// Every option, in the order in which the help shows them.
std::span<const OptionSpec> option_table();

/// The heading of a group in the help.
std::string_view title_of(OptionGroup group);

/// As a user would type it: "--port", or "-inMemory" where there is only DynamoDB Local's spelling.
std::string spelling_of(const OptionSpec& option);

}  // namespace dinette::app
