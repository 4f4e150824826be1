#pragma once

#include <cstdint>

#include "dinette/kv/engine.h"

namespace dinette::store {

/// The newest format of stored data that this program reads, and the one that it writes. src/store/FORMAT.md
/// describes each.
inline constexpr std::uint32_t format_version = 1;

/// Checks that the data of `engine` were written by a store, in a format that this program reads; marks an
/// empty engine with `format_version`. Must be called before the first Store over the engine is created.
///
/// Fails with ErrorKind::unsupported if a newer program wrote the data, with ErrorKind::corrupt if something
/// other than a store did. It then leaves the engine as it is.
kv::Result<void> check_format(kv::Engine& engine);

/// Returns true if no store over `engine` ever had a table or a stream.
kv::Result<bool> is_untouched(const kv::Engine& engine);

}  // namespace dinette::store
