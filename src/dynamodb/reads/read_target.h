#pragma once

#include <span>
#include <string>
#include <vector>

#include "dinette/store/row.h"

#include "dynamodb/expr/key_condition.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// What a Query or Scan walks through: a table, or one of its indexes. `schema` and `index` must outlive it.
class ReadTarget {
 public:
  /// Creates a target: the index, or without one the table itself.
  ReadTarget(const TableSchema& schema, const IndexSchema* index);

  const TableSchema& schema() const { return schema_; }
  /// Returns null for the table.
  const IndexSchema* index() const { return index_; }
  bool global() const { return index_ && !index_->local; }
  store::Area area() const;

  /// The attributes of the key that is walked along, in schema order.
  const std::vector<expr::KeyPart>& key() const { return key_; }
  bool is_key(std::string_view attribute) const;

  /// Returns what identifies a position, and so makes up LastEvaluatedKey: the attributes of the table's key
  /// and of the index's, ascending.
  const std::vector<expr::KeyPart>& position() const { return position_; }
  /// The store's key at a position that has exactly these attributes, of their types.
  std::string encode_position(const model::Item& position) const;

  /// Returns the prefix of all keys of the partition with these hash values, in schema order.
  std::string encode_partition(std::span<const model::AttributeValue* const> hash) const;

 private:
  const TableSchema& schema_;
  const IndexSchema* index_;
  std::vector<expr::KeyPart> key_;
  std::vector<expr::KeyPart> position_;
};

}  // namespace dinette::dynamodb
