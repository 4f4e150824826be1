#pragma once

#include <cstdint>

#include "dinette/kv/engine.h"
#include "dinette/store/row.h"

#include "store/keys.h"

namespace dinette::store {

/// Appends everything in `change`, which is of the row or entry at `key`, to the batch of the transaction.
/// `table` is the table of the row, or no_table.
kv::Result<void> append_change(kv::Transaction& transaction, KeyOwner owner, TableId table,
                               const EngineKey& key, RowChange&& change);

}  // namespace dinette::store
