#pragma once

#include <cstdint>

#include "dinette/kv/error.h"
#include "dinette/store/verify.h"
#include "dinette/tenancy/world.h"

namespace dinette::lambda {

/// Reads all event source mappings and triggers of a world, and checks that they can be decoded, that each
/// mapping is found by its function and stream, and that nothing is left of others, mappings of former
/// triggers included. Reports each fault. Returns how many mappings there are. Changes nothing; there must be
/// no concurrent writes. The world must have world_face().
kv::Result<std::uint64_t> verify_mappings(tenancy::World& world, store::ReportFault report);

}  // namespace dinette::lambda
