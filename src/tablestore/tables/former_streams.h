#pragma once

#include <vector>

#include "dinette/base/jobs.h"
#include "dinette/store/entry.h"
#include "dinette/store/store.h"

#include "tablestore/model/table_meta.h"

/// Streams that no table has any more, whose records are still there. They are noted in the commit that takes
/// them from their table, so that a process that ends before the records are erased leaves none behind.
namespace dinette::tablestore {

/// Adds the note that is to be written when a table changes from `before` to `after`, null if it is dropped.
/// Nothing if it keeps its stream, or had none.
void note_former_stream(const TableMeta& before, const TableMeta* after,
                        std::vector<store::EntryWrite>& entries);

/// Has a job erase the records of all streams that are noted, and then the notes. To be called after each
/// commit with a note, and when a world is opened.
void erase_former_streams_later(store::Store& store, base::Jobs& jobs);

}  // namespace dinette::tablestore
