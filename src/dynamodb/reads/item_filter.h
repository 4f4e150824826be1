#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/items/item_condition.h"
#include "dynamodb/request/legacy_input.h"
#include "dynamodb/request/request_expressions.h"

namespace dinette::dynamodb {

/// Which of the items that it looked at a Query or Scan returns: those that a FilterExpression or the legacy
/// QueryFilter or ScanFilter admits, else all.
class ItemFilter {
 public:
  ItemFilter() = default;
  explicit ItemFilter(ItemCondition condition) : condition_(std::move(condition)) {}
  explicit ItemFilter(expr::Condition condition) : condition_(std::move(condition)) {}

  /// Returns true if the item of `record` passes. Reads no more of it than the filter looks at, and charges
  /// `work` with that. Fails if the record is corrupt.
  kv::Result<bool> admits(std::string_view record, model::Work& work) const;

  /// Returns true if every item passes.
  bool admits_all() const { return condition_.always(); }

  /// Returns the attributes that the filter reads.
  const AttributeNames& attributes() const { return condition_.attributes(); }

  /// Returns those of them that it looks into.
  std::span<const std::string_view> reached_into() const { return condition_.reached_into(); }

  /// Returns true if it is a QueryFilter or ScanFilter.
  bool legacy() const { return condition_.legacy(); }

 private:
  ItemCondition condition_;
};

/// The filter of a request that has passed check_families(). Refers to the request, and takes the
/// values out of `legacy_filter`.
Answer<ItemFilter> item_filter(RequestExpressions& expressions,
                               const std::optional<std::string>& filter_expression,
                               ConditionsInput& legacy_filter,
                               std::optional<api::ConditionalOperator> combined);

}  // namespace dinette::dynamodb
