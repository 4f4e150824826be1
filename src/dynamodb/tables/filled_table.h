#pragma once

#include "dinette/base/function_ref.h"
#include "dinette/store/store.h"

#include "dynamodb/api/table_record.h"

namespace dinette::dynamodb {

/// Marks a table, or an index of it, as filled: `mark` changes its record. Nothing if the table is gone.
kv::Result<void> end_filling(store::Store& store, const store::Table& table,
                             base::FunctionRef<void(api::TableRecord& record)> mark);

}  // namespace dinette::dynamodb
