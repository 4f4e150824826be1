#pragma once

#include <string>

#include "app/options.h"

namespace dinette::app {

/// Returns a script by which the shell completes the command line of dinette.
std::string completions(Shell shell);

}  // namespace dinette::app
