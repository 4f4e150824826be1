#pragma once

#include <cstdint>

#include "dinette/kv/write_batch.h"
#include "dinette/store/row.h"

#include "store/keys.h"

namespace dinette::store {

/// Appends everything in `change`, which is of the row or entry at `key`, to the batch of a transaction.
/// `table` is the table of the row, or no_table.
void append_change(kv::WriteBatch& batch, KeyOwner owner, TableId table, const EngineKey& key,
                   RowChange&& change);

}  // namespace dinette::store
