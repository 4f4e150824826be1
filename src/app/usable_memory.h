#pragma once

#include <cstddef>

namespace dinette::app {

/// Returns how many bytes of memory this process may use: what the machine has, or the limit of its control
/// group (that of a container, say).
std::size_t usable_memory();

}  // namespace dinette::app
