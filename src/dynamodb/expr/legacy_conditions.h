#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/result.h"

#include "dynamodb/expr/expression_error.h"
#include "dynamodb/model/attribute_value.h"

/// The legacy parameters' conditions: Expected, QueryFilter, ScanFilter, KeyConditions, ConditionalOperator
/// (facts: legacy-api.md sections 2 to 4). Values have passed their own checks (numbers, sets, depth) in the
/// codec.
namespace dinette::dynamodb::expr::legacy {

enum class ComparisonOperator : std::uint8_t {
  eq,
  ne,
  le,
  lt,
  ge,
  gt,
  between,
  begins_with,
  contains,
  not_contains,
  in,
  null,
  not_null
};

/// `EQ`, `NE`, ...
std::string_view operator_name(ComparisonOperator op);
std::optional<ComparisonOperator> operator_from_name(std::string_view name);

/// How several conditions combine: `AND`, `OR`.
enum class ConditionalOperator : std::uint8_t { all, any };

/// What one top-level attribute is held against. An element of QueryFilter, ScanFilter and KeyConditions as
/// sent; no AttributeValueList is an empty one.
struct Condition {
  std::string attribute;
  ComparisonOperator op = ComparisonOperator::eq;
  std::vector<model::AttributeValue> values;
};

/// Number and types of the values that `condition` has for its operator, BETWEEN's bounds included.
base::Result<void, ExpressionError> check(const Condition& condition);

/// Whether `value` meets a checked condition; null stands for an attribute that is not there.
bool holds(const Condition& condition, const model::AttributeValue* value);

/// Checked conditions over one item. Immutable, and owns its values.
class Conditions {
 public:
  Conditions(std::vector<Condition> conditions, ConditionalOperator combined)
      : conditions_(std::move(conditions)), combined_(combined) {}

  /// Whether `item` meets them; null stands for an item that is not there. No conditions at all are met.
  bool evaluate(const model::Item* item) const;

  std::span<const Condition> all() const { return conditions_; }
  /// The attributes that are looked at, in the order given.
  std::vector<std::string_view> attributes() const;

 private:
  std::vector<Condition> conditions_;
  ConditionalOperator combined_;
};

/// QueryFilter or ScanFilter with its ConditionalOperator. The first problem in the order given is reported,
/// that of the ConditionalOperator last.
base::Result<Conditions, ExpressionError> check_filter(std::vector<Condition> filter,
                                                       std::optional<ConditionalOperator> combined);

/// An element of Expected as sent.
struct ExpectedAttribute {
  std::string name;
  std::optional<model::AttributeValue> value;
  std::optional<bool> exists;
  std::optional<ComparisonOperator> op;
  std::optional<std::vector<model::AttributeValue>> list;
};

/// Expected with its ConditionalOperator; problems in the order of check_filter.
base::Result<Conditions, ExpressionError> check_expected(std::vector<ExpectedAttribute> expected,
                                                         std::optional<ConditionalOperator> combined);

/// A ConditionalOperator needs two conditions. `conditions` is their number, none when the request has
/// neither filter nor Expected; check_filter and check_expected have called this already.
base::Result<void, ExpressionError> check_conditional_operator(std::optional<ConditionalOperator> combined,
                                                               std::optional<std::size_t> conditions);

}  // namespace dinette::dynamodb::expr::legacy
