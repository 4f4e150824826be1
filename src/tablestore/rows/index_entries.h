#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/value.h"
#include "dinette/store/row.h"

#include "tablestore/model/row.h"
#include "tablestore/tables/table_schema.h"

/// What secondary indexes have of rows (tablestore/indexes.md). Entries change in the commit of their row.
namespace dinette::tablestore {

struct IndexEntry {
  std::string key;  ///< of the store: the completed key of the index
  kv::Value value;  ///< FORMAT.md

  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

/// Returns what an index has of a row, whose newest cells count; nothing if the row lacks one of its key
/// columns, has it with another type, or has a longer value than keys may have. `index` is its place in
/// TableMeta::indexes.
std::optional<IndexEntry> entry_of(const TableSchema& table, std::size_t index, const PrimaryKey& key,
                                   const Cells& cells);

/// Appends the columns that entries are made of to `columns`.
void append_indexed_columns(const TableMeta& table, std::vector<std::string_view>& columns);

/// Adds to the change of a row those of its entries. Null: there was, or is, no row.
void add_index_changes(const TableSchema& table, const PrimaryKey& key, const Cells* before,
                       const Cells* after, store::RowChange& change);

}  // namespace dinette::tablestore
