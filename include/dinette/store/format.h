#pragma once

#include <cstdint>

#include "dinette/kv/engine.h"

namespace dinette::store {

/// The newest format of stored data that this program reads, and the one that it writes. src/store/FORMAT.md
/// says what each means.
inline constexpr std::uint32_t format_version = 1;

/// Makes sure that the data of `engine` are a store's and of a format that this program reads; marks an empty
/// engine as one of `format_version`. To be called before the first Store over the engine is made.
///
/// Fails with ErrorKind::unsupported if a newer program wrote the data, with ErrorKind::corrupt if something
/// other than a store did. The engine is left as it is then.
kv::Result<void> check_format(kv::Engine& engine);

}  // namespace dinette::store
