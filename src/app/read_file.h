#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::app {

/// Returns what is in a file. On failure returns a sentence that names the file, as `what` it is, and says
/// why.
base::Result<std::string, std::string> read_file(const std::string& path, std::string_view what);

/// Returns what is in a file, which must be JSON. On failure returns the same, or where it is not JSON.
base::Result<std::string, std::string> read_json_file(const std::string& path, std::string_view what);

}  // namespace dinette::app
