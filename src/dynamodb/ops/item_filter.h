#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dynamodb/api/types.h"
#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/legacy_conditions.h"
#include "dynamodb/ops/context.h"
#include "dynamodb/ops/legacy_input.h"

namespace dinette::dynamodb::ops {

/// Which of the items that it looked at a Query or Scan returns: those that a FilterExpression or the legacy
/// QueryFilter or ScanFilter admits, else all.
class ItemFilter {
 public:
  ItemFilter() = default;
  explicit ItemFilter(expr::Condition condition);
  explicit ItemFilter(expr::legacy::Conditions conditions);
  ItemFilter(ItemFilter&&) = default;  // a copy would refer to the names in the original
  ItemFilter& operator=(ItemFilter&&) = default;

  /// Reads no more of a stored item than the filter looks at.
  bool admits(std::string_view record) const;

  /// The attributes that the filter looks at, ascending.
  const std::vector<std::string_view>& attributes() const { return attributes_; }

  /// Whether it is a QueryFilter or ScanFilter.
  bool legacy() const { return std::holds_alternative<expr::legacy::Conditions>(filter_); }

 private:
  std::variant<std::monostate, expr::Condition, expr::legacy::Conditions> filter_;
  std::vector<std::string_view> attributes_;
};

/// The filter of a request that has passed ExpressionFamilies::check. Refers to the request, and takes the
/// values out of `legacy_filter`.
Answer<ItemFilter> item_filter(const Context& context, const std::optional<std::string>& filter_expression,
                               ConditionsInput& legacy_filter,
                               std::optional<api::ConditionalOperator> combined,
                               expr::Placeholders& placeholders);

}  // namespace dinette::dynamodb::ops
