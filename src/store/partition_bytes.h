#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dinette/kv/engine.h"
#include "dinette/store/catalog.h"

#include "store/keys.h"

namespace dinette::store {

/// Returns the key at which the bytes of the partition of the row are counted, which is also the name of the
/// lock on them; nullopt in tables that do not count them.
std::optional<EngineKey> partition_counter(std::uint8_t face, const Table& table, std::string_view row_key);

/// Sets the bytes of a partition. Nothing is stored for an empty one.
void put_partition_bytes(kv::WriteBatch& batch, std::string_view counter, std::int64_t bytes);

/// Decodes the bytes of a partition as an engine returns them.
kv::Result<std::int64_t> decode_partition_bytes(const kv::Result<std::optional<kv::Value>>& counted);

}  // namespace dinette::store
