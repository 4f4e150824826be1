#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/partiql/bound.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb::partiql {

/// What the equalities of a WHERE, those that hold whatever else does, say of an item's key.
struct StatementKey {
  model::Item values;                     ///< of the key attributes that have one
  const std::string* repeated = nullptr;  ///< the first key attribute that is given two values
  std::vector<std::pair<expr::Slot, expr::Slot>> equalities =
      {};             ///< operands of WHERE that say so: attribute, constant
  bool alone = true;  ///< WHERE says nothing beyond

  bool whole(const TableSchema& schema) const { return values.size() == schema.key_size(); }
};

/// Which values count as an equality: `=`, and for reads an IN of one value, too.
enum class Equality : bool { strict, or_in };

/// Returns WHERE without these equalities, which hold instead: what it asks of an item that is found by the
/// key, or of none.
expr::ParsedRef without_equalities(const expr::Parsed& where, const StatementKey& key);

/// Returns the key in WHERE; nothing for a statement without WHERE.
StatementKey key_of(const Bound& bound, const TableSchema& schema, Equality equality);

}  // namespace dinette::dynamodb::partiql
