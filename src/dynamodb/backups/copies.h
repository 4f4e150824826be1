#pragma once

#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

#include "dynamodb/api/export_entry.h"
#include "dynamodb/api/table_copy.h"
#include "dynamodb/api/table_filling.h"

/// What reads the past of a table: tables that are filled with its items, which are backups and restored
/// tables, and exports. The table lists them (TableRecord::copies, exports) and keeps former values of its
/// rows until they are complete.
namespace dinette::dynamodb {

/// Returns the table that is filled, or null if it is gone.
kv::Result<store::TablePointer> open_copy(store::Store& store, const api::TableCopy& copy);

/// Returns where its items come from: a table, what is left of a deleted one, or the rows of a backup.
kv::Result<store::TablePointer> open_source(store::Store& store, const api::TableFilling& filling);

/// Returns the table that an export is of, or what is left of it.
kv::Result<store::TablePointer> open_source(store::Store& store, const api::ExportEntry& entry);

/// Removes a copy that is complete, or gone, from the list of the other table, and drops what only copies
/// needed. Does nothing if it is not listed.
kv::Result<void> release_source(store::Store& store, const store::Table& source, std::int64_t copy);

/// Removes an export from the list of its table, and writes its entry as it has ended, in one commit. Returns
/// false, and writes nothing, if it is not listed.
kv::Result<bool> release_source(store::Store& store, const store::Table& source,
                                const store::EntryWrite& ended_export);

/// Does so for all copies of a table that are complete or gone: they may be listed after a restart.
kv::Result<void> settle_copies(store::Store& store, const store::Table& source);

}  // namespace dinette::dynamodb
