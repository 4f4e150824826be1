#pragma once

#include <chrono>
#include <string>

#include "dinette/base/result.h"

namespace dinette::app {

/// Runs a command line by the shell, and returns what it prints to standard output, at most
/// most_credential_bytes. What it prints to standard error is the user's to see. The error is the end of a
/// sentence, without what was printed. Ends the program if it takes longer than `patience`.
base::Result<std::string, std::string> run_program(
    const std::string& command, std::chrono::milliseconds patience = std::chrono::minutes(1));

}  // namespace dinette::app
