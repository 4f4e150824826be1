#pragma once

#include <string>

#include "dinette/base/result.h"

namespace dinette::app {

// The program's exit codes.
inline constexpr int exit_success = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;

/// Prints an error, which is a sentence for the user. Returns the exit code.
int report(const base::Result<void, std::string>& outcome);

}  // namespace dinette::app
