#pragma once

#include <array>
#include <span>
#include <string_view>

#include "app/cli/option_table.h"
#include "app/options.h"

namespace dinette::app {

/// A command that has a name; without one the program serves.
struct CommandSpec {
  std::string_view name;
  Command command;
  Command help;
  TakenBy options;                               ///< the options that it takes
  std::string_view arguments;                    ///< in a usage line
  std::string_view summary;                      ///< in a list of commands
  std::array<std::string_view, 2> aliases = {};  ///< empty ones are none
};

/// Returns all commands that have a name, in the order of the help.
std::span<const CommandSpec> command_table();

/// Returns the command of that name or alias; null if there is none.
const CommandSpec* find_command(std::string_view name);

}  // namespace dinette::app
