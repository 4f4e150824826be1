#pragma once

#include "../format.h"
#include "configuration_files.h"

namespace dinette::definitions {

/// Adds what the blocks of a configuration define, as far as they are literal.
void read_configuration_files(const hcl::ConfigurationFiles& files, const Input& input, Definitions& to);

}  // namespace dinette::definitions
