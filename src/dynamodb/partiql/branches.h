#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dynamodb/expr/key_condition.h"
#include "dynamodb/partiql/bound.h"

namespace dinette::dynamodb::partiql {

/// What a branch asks of a key attribute: any of several values, or one comparison. IN of one value is `=`.
struct KeyTerm {
  expr::KeyOperator op = expr::KeyOperator::equal;
  /// One, or two of BETWEEN; of `equal` any number.
  boost::container::small_vector<const model::AttributeValue*, 2> values;

  friend bool operator==(const KeyTerm& a, const KeyTerm& b);
};

/// One way in which the WHERE of a statement may hold: conditions on the key, and the attributes that all its
/// other conditions look at, in written order, each once.
struct Branch {
  std::optional<KeyTerm> hash;
  std::optional<KeyTerm> range;
  std::vector<std::string_view> filtered;
};

/// The names of a key's attributes; `range` is empty for none.
struct KeyNames {
  std::string_view hash;
  std::string_view range;
};

/// What a WHERE comes to.
struct Branches {
  std::vector<Branch> all;  ///< none: the statement scans
  bool too_many = false;    ///< more than anything may be made of
};

/// Takes a WHERE apart into the branches that its ORs make, each of which names the partition key
/// (docs/service/partiql.md section 3, "Key reads and scans").
Branches branches_of(const expr::Parsed& where, const expr::Bindings& bindings, const KeyNames& key);

}  // namespace dinette::dynamodb::partiql
