#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

/// Applies, compares or shows table definitions as the options say, and prints what has come of it. Returns
/// false if tables are not as their definitions say, differ, or could not be read; the error is a sentence
/// for the user. `openers` may be null if the options name no data folder.
base::Result<bool, std::string> run_tables(const Options& options, const DataOpeners& openers);

}  // namespace dinette::app
