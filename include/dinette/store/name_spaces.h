#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dinette/kv/engine.h"

namespace dinette::store {

/// Returns the name spaces of a face, other than "", in which there is something, ascending. The cost is
/// proportional to their number.
kv::Result<std::vector<std::string>> name_spaces(const kv::Engine& engine, std::uint8_t face_id);

}  // namespace dinette::store
