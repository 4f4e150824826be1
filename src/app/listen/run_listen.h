#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

/// Runs `dinette listen`: forwards the changes of a table to a URL until Ctrl-C. The error is a sentence for
/// the user.
base::Result<void, std::string> run_listen(const Options& options);

}  // namespace dinette::app
