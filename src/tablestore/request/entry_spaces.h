#pragma once

#include "dinette/store/entry.h"

/// The entries of Tablestore that belong to no table (FORMAT.md). Kept on disk: never renumber.
namespace dinette::tablestore::entry_spaces {

inline constexpr store::SpaceId last_numbers{1};
inline constexpr store::SpaceId tunnels{2};
inline constexpr store::SpaceId former_streams{3};

}  // namespace dinette::tablestore::entry_spaces
