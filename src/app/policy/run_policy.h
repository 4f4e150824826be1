#pragma once

#include <string>

#include "dinette/base/result.h"

#include "app/options.h"

namespace dinette::app {

/// Prints whether a request would be allowed, and which statement decides. Returns false if it would not be.
/// The error is a sentence for the user.
base::Result<bool, std::string> run_policy(const Options& options);

}  // namespace dinette::app
