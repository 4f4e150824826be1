#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/legacy_conditions.h"
#include "dynamodb/request/attribute_names.h"

namespace dinette::dynamodb {

/// What an item must meet to be written to or to be returned: an expression, legacy conditions, or nothing.
class ItemCondition {
 public:
  ItemCondition() = default;
  explicit ItemCondition(expr::Condition condition);
  explicit ItemCondition(expr::legacy::Conditions conditions);
  ItemCondition(ItemCondition&&) = default;  // a copy would refer to the names in the original
  ItemCondition& operator=(ItemCondition&&) = default;

  /// Returns true if `item`, null for none, meets it. Of the item attributes() suffice.
  bool holds(const model::Item* item, model::Work& work) const;
  /// The same where it is asked of one item.
  bool holds(const model::Item* item) const {
    model::Work uncounted;
    return holds(item, uncounted);
  }

  /// Returns the attributes that it reads.
  const AttributeNames& attributes() const { return attributes_; }

  /// Returns those of them whose elements it reads.
  std::span<const std::string_view> reached_into() const;

  bool always() const { return std::holds_alternative<std::monostate>(condition_); }
  bool legacy() const { return std::holds_alternative<expr::legacy::Conditions>(condition_); }

 private:
  std::variant<std::monostate, expr::Condition, expr::legacy::Conditions> condition_;
  AttributeNames attributes_;
};

}  // namespace dinette::dynamodb
