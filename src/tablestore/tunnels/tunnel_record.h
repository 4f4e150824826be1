#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dinette/kv/value.h"

#include "tablestore/tunnels/tunnel.h"

namespace dinette::tablestore {

/// Returns the entry that has the tunnels of a table (FORMAT.md).
kv::Value pack_tunnels(const std::vector<Tunnel>& tunnels);
/// Returns nothing for what is none.
std::optional<std::vector<Tunnel>> unpack_tunnels(std::string_view bytes);

}  // namespace dinette::tablestore
