#pragma once

#include <span>
#include <string>

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/tables/table_schema.h"

/// Where the entries of an index are. A local index has the partitions of its table and orders their rows
/// again; a global index has partitions of its own, placed as those of a table. Entries with equal index keys
/// are in the order of their table keys, or of a hash of these in a global index. The bytes:
/// src/dynamodb/FORMAT.md.
namespace dinette::dynamodb {

/// The store's keys of the entries of an item, as it was and as it will be: what is the same in several of
/// them is worked out once. Schema and items must outlive this.
class EntryKeys {
 public:
  explicit EntryKeys(const TableSchema& schema) : schema_(schema) {}

  /// `item` must have every key attribute of index and table, of their types, and those of the table with the
  /// values of the items before.
  const std::string& of(const IndexSchema& index, const model::Item& item);

 private:
  const std::string& table_key(const model::Item& item);

  const TableSchema& schema_;
  std::string table_key_;  ///< how keys in global indexes end; empty until it is asked for
  const IndexSchema* index_ = nullptr;
  const model::Item* item_ = nullptr;
  std::string key_;  ///< of these two
};

/// Returns the prefix of the keys of all entries with these values of the index's hash attributes, in schema
/// order.
std::string encode_index_partition(const IndexSchema& index,
                                   std::span<const model::AttributeValue* const> hash);

}  // namespace dinette::dynamodb
