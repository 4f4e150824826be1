#pragma once

#include <vector>

#include "tablestore/api/describe_table.h"
#include "tablestore/tables/open_table.h"

/// Tables as replies describe them (tablestore/tables.md section 4).
namespace dinette::tablestore {

std::vector<api::PrimaryKeySchema> described_key(const std::vector<KeyColumnMeta>& key);
api::TableMeta described_meta(const TableMeta& table);
api::TableOptions described_options(const TableOptions& options);
api::ReservedThroughputDetails described_units(const TableMeta& table);
/// Also of a table without a stream.
api::StreamDetails described_stream(const TableMeta& table);
api::IndexMeta described_index(const IndexMeta& index);

}  // namespace dinette::tablestore
