#pragma once

#include <algorithm>
#include <vector>

#include "tablestore/sql/sql_value.h"

namespace dinette::tablestore::sql {

/// An order of rows.
struct LessRow {
  bool operator()(const SqlRow& a, const SqlRow& b) const {
    return std::ranges::lexicographical_compare(a, b, LessSql());
  }
};

/// The values of a column, which must outlive it, to look for one of them.
class ValueSet {
 public:
  /// Values of several types are equal by rules that no order follows: they are not looked for here.
  explicit ValueSet(const std::vector<SqlValue>& values) {
    for (const SqlValue& value : values) {
      if (is_null(value)) {
        has_null_ = true;
        continue;
      }
      is_mixed_ |= !sorted_.empty() && sorted_.front()->index() != value.index();
      sorted_.push_back(&value);
    }
    if (is_mixed_) return;
    std::ranges::sort(sorted_, [](const SqlValue* a, const SqlValue* b) { return order_of(*a, *b) < 0; });
  }

  bool has_null() const { return has_null_; }
  bool may_have(const SqlValue& wanted) const {
    return !is_mixed_ && (sorted_.empty() || sorted_.front()->index() == wanted.index());
  }
  bool has(const SqlValue& wanted) const {
    const auto found = std::ranges::lower_bound(
        sorted_, &wanted, [](const SqlValue* a, const SqlValue* b) { return order_of(*a, *b) < 0; });
    return found != sorted_.end() && order_of(**found, wanted) == 0;
  }

 private:
  std::vector<const SqlValue*> sorted_;
  bool has_null_ = false;
  bool is_mixed_ = false;
};

}  // namespace dinette::tablestore::sql
