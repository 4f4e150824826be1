#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/store/catalog.h"

#include "tablestore/model/table_meta.h"

namespace dinette::tablestore {

/// A table, decoded from the description of the store's table (FORMAT.md). Immutable. The name of a secondary
/// index is a table of the store too, without rows, that says only whose index it is.
class TableSchema final : public store::Schema {
 public:
  explicit TableSchema(TableMeta meta);
  /// Returns the schema of a name that is that of an index.
  static std::shared_ptr<const TableSchema> of_index(std::string main_table);
  static std::shared_ptr<const store::Schema> decode(std::string_view description);

  const TableMeta& meta() const { return meta_; }
  /// Returns the completed keys of the indexes, in the order of TableMeta::indexes.
  const std::vector<std::vector<KeyColumnMeta>>& index_keys() const { return index_keys_; }

  bool is_index() const { return !main_table_.empty(); }
  /// Returns the name of the table that this is an index of; empty for a table.
  const std::string& main_table() const { return main_table_; }

 private:
  TableMeta meta_;
  std::vector<std::vector<KeyColumnMeta>> index_keys_;
  std::string main_table_;
};

/// Returns the description of a table, which TableSchema::decode reads.
std::string encode_table(const TableMeta& meta);
/// Returns the description of the name of an index.
std::string encode_index_name(std::string_view main_table);

}  // namespace dinette::tablestore
