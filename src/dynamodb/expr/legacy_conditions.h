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

#include "dynamodb/api/enums.h"
#include "dynamodb/expr/expression_error.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/model/work.h"

/// The legacy parameters' conditions: Expected, QueryFilter, ScanFilter, KeyConditions, ConditionalOperator
/// (docs/service/legacy-api.md sections 2 to 4). Values have passed their own checks (numbers, sets, depth)
/// in the codec.
namespace dinette::dynamodb::expr::legacy {

using api::ComparisonOperator;
using api::ConditionalOperator;

/// What one top-level attribute is held against. An element of QueryFilter, ScanFilter and KeyConditions as
/// sent; no AttributeValueList is an empty one.
struct Condition {
  std::string attribute;
  ComparisonOperator op = ComparisonOperator::eq;
  std::vector<model::AttributeValue> values;
  bool sorted = false;  ///< the values, which are of one ordered type
};

/// Number and types of the values that `condition` has for its operator, BETWEEN's bounds included.
base::Result<void, ExpressionError> check(const Condition& condition);

/// Returns true if `value` meets a checked condition; null stands for an attribute that is not there. Charges
/// `work` with what had to be looked at.
bool holds(const Condition& condition, const model::AttributeValue* value, model::Work& work);

/// Checked conditions over one item. Immutable, and owns its values. There may be hundreds of thousands, and
/// they may be asked of as many items: an item costs by what it has, not by the number of conditions.
class Conditions {
 public:
  /// `combined`: by AND if it is not given.
  Conditions(std::vector<Condition> conditions, std::optional<ConditionalOperator> combined);

  /// Returns true if `item` meets them; null stands for an item that is not there. No conditions at all are
  /// met. Charges `work` with what had to be looked at.
  bool evaluate(const model::Item* item, model::Work& work) const;

  /// The attributes that are looked at, ascending.
  std::vector<std::string_view> attributes() const;

 private:
  /// Returns true if one condition with this outcome decides for all.
  bool decides(bool outcome) const { return outcome == (combined_ == ConditionalOperator::or_); }
  bool decides_when_missing(const Condition& condition) const;

  std::vector<Condition> conditions_;  ///< ascending by attribute
  ConditionalOperator combined_;
  std::size_t deciding_when_missing_;  ///< how many would decide for an item that lacks their attributes
};

/// QueryFilter or ScanFilter with its ConditionalOperator, made ready to be asked of many items. The first
/// problem in the order given is reported, that of the ConditionalOperator last.
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
