#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

/// Examines the settings of AWS clients and the server that they call, and prints what is wrong, why, and
/// what to type. Fails with the number of findings if there are any.
base::Result<void, std::string> run_doctor(const Options& options);

}  // namespace dinette::app
