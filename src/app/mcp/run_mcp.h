#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

/// Serves the Model Context Protocol on standard input and output until the input ends. The error is a
/// sentence for the user.
base::Result<void, std::string> run_mcp(const Options& options, const DataOpeners& openers);

}  // namespace dinette::app
