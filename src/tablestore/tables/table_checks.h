#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"

/// The checks of what a table is to be, and their results as it is kept (tablestore/tables.md sections 1 to
/// 7).
namespace dinette::tablestore {

Answer<std::vector<KeyColumnMeta>> key_of(const std::vector<api::PrimaryKeySchema>& columns);

/// Appends defined columns to those that there are.
Answer<void> add_defined_columns(const std::vector<KeyColumnMeta>& key,
                                 const std::vector<api::DefinedColumnSchema>& columns,
                                 std::vector<DefinedColumnMeta>& defined);

/// Of a new table, which must have the main ones.
Answer<TableOptions> new_options(const std::optional<api::TableOptions>& given);
/// Changes those that are given.
Answer<void> change_options(const api::TableOptions& given, TableOptions& options);

/// Of a new table, which must have both.
Answer<ReservedUnits> new_units(const api::CapacityUnit& given);
/// Changes those that are given, and notes when they were raised or lowered: `now`, in microseconds since
/// 1970.
Answer<void> change_units(const api::CapacityUnit& given, std::int64_t now, TableMeta& meta);

}  // namespace dinette::tablestore
