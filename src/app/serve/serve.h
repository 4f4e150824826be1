#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

/// Serves until SIGTERM or SIGINT, then drains. Prints the greeting to standard output once the port is
/// bound. If the server cannot start, the error is a sentence for the user. `full` may be null if the options
/// do not need it (full_program.h).
base::Result<void, std::string> serve(const Options& options, const FullProgram* full);

}  // namespace dinette::app
