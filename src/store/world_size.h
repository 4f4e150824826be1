#pragma once

#include <cstdint>

#include "dinette/kv/engine.h"
#include "dinette/store/world.h"

namespace dinette::store {

/// Adds the tables of a front end, and what they hold, to `size`.
kv::Result<void> add_size(const kv::Engine& engine, std::uint8_t face_id, WorldSize& size);

/// Adds what is kept for some time.
kv::Result<void> add_kept_history(const kv::Engine& engine, std::uint8_t face_id, KeptHistory& kept);

}  // namespace dinette::store
