#pragma once

#include <cstddef>

namespace dinette::base {

/// Raises the limit of open files (ulimit -n) to what the system allows this program. Returns the new limit.
std::size_t raise_descriptor_limit();

/// How many files the program has open, none where there is no /proc, and may have. Looks at each that is
/// open. Thread-safe.
struct DescriptorUse {
  std::size_t open = 0;
  std::size_t limit = 0;
};
DescriptorUse descriptor_use();

}  // namespace dinette::base
