#pragma once

#include <cstddef>

namespace dinette::app {

/// Raises the limit of open files to what the system allows this program. Returns the limit that holds then.
std::size_t raise_descriptor_limit();

}  // namespace dinette::app
