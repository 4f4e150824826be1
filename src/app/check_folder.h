#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

/// Checks the data folder that the options name, and prints what is wrong and what was read. The error is a
/// sentence for the user: also if anything is wrong.
base::Result<void, std::string> run_check(const Options& options, const DataOpeners& openers);

}  // namespace dinette::app
