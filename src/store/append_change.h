#pragma once

#include <cstdint>

#include "dinette/kv/engine.h"
#include "dinette/store/row.h"

#include "store/keys.h"

namespace dinette::store {

/// Appends everything that `change` says of the row or entry at `key` to the batch of the transaction.
/// `table` is the row's; 0 for an entry of the face.
kv::Result<void> append_change(kv::Transaction& transaction, std::uint8_t face, TableId table,
                               const EngineKey& key, RowChange&& change);

}  // namespace dinette::store
