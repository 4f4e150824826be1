#pragma once

#include <string>

#include "app/options.h"

namespace dinette::app {

/// Returns true if the command opens a data folder.
bool needs_data_folder(const Options& options);

/// Replaces this program by `dinette-durable`, which is next to it or in ../libexec, in the same process and
/// with the same command line. `words` end with a null pointer. Returns only if that fails: a sentence for
/// the user.
std::string become_durable(char** words);

}  // namespace dinette::app
