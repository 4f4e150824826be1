#pragma once

#include <cstddef>

namespace dinette::app {

/// Raises the limit of open files to what the system allows this program. Returns the new limit.
std::size_t raise_descriptor_limit();

}  // namespace dinette::app
