#pragma once

#include <string>

#include "app/options.h"

namespace dinette::app {

/// Returns true for a command that only `dinette-full` has (FullProgram::run_command).
bool is_full_command(Command command);

/// Returns true if the options ask for what only `dinette-full` has: everything but a server in memory that
/// begins without tables, healthchecks, and texts about the program itself.
bool needs_full_program(const Options& options);

/// Replaces this program by `dinette-full`, which is next to it or in ../libexec, in the same process and
/// with the same command line. `words` end with a null pointer. Returns only if that fails: a sentence for
/// the user.
std::string become_full_program(char** words);

}  // namespace dinette::app
