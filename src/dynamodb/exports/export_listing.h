#pragma once

#include "dinette/base/function_ref.h"
#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

#include "dynamodb/api/export_entry.h"

/// The entries of all exports of a world. There are few: they are looked through.
namespace dinette::dynamodb {

/// Calls `visit` for the exports of a range of keys, in their order (export_entry.h), until it returns false.
kv::Result<void> for_each_export(const store::Store& store, const store::KeyRange& range,
                                 base::FunctionRef<bool(const api::ExportEntry& entry)> visit);

kv::Result<void> write_entry(store::Store& store, const store::EntryWrite& entry);

/// Erases the entries of exports that are not shown any more. Returns when the next one's time is over.
kv::Result<base::Jobs::Next> forget_exports(store::Store& store);

}  // namespace dinette::dynamodb
