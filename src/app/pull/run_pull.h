#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

/// Pulls tables as the options say, and prints what was pulled. What opens data folders may be null if the
/// options name none. The error is a sentence for the user.
base::Result<void, std::string> run_pull(const Options& options, const DataOpeners& openers);

}  // namespace dinette::app
