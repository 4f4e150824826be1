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
/// (docs/service/legacy-api.md sections 2 to 4). What is wrong with a value itself (numbers, sets, depth) was
/// found by the codec, and is reported after what is refused here.
namespace dinette::dynamodb::expr::legacy {

using api::ComparisonOperator;
using api::ConditionalOperator;

/// What one top-level attribute is held against. An element of QueryFilter, ScanFilter and KeyConditions as
/// sent; no AttributeValueList is an empty one.
struct Condition {
  std::string attribute;
  ComparisonOperator op = ComparisonOperator::eq;
  std::vector<model::AttributeValue> values;
  bool sorted = false;   ///< the values, which are of one ordered type
  bool refused = false;  ///< some value has a problem of its own, so that only its type counts
};

/// Checks number and types of the values of `condition` for its operator, and the bounds of BETWEEN.
base::Result<void, ExpressionError> check(const Condition& condition);

/// Returns true if `value` meets a checked condition; null is an attribute that does not exist. Charges
/// `work` with what had to be read.
bool holds(const Condition& condition, const model::AttributeValue* value, model::Work& work);

/// Checked conditions over one item. Immutable, and owns its values. There may be hundreds of thousands, and
/// they may be asked of as many items: an item costs by what it has, not by the number of conditions.
class Conditions {
 public:
  /// `combined`: by AND if it is not given.
  Conditions(std::vector<Condition> conditions, std::optional<ConditionalOperator> combined);

  /// Returns true if `item` meets them; null is an item that does not exist. Without conditions, returns
  /// true. Charges `work` with what had to be read.
  bool evaluate(const model::Item* item, model::Work& work) const;

  /// Returns the attributes that are read, ascending.
  std::vector<std::string_view> attributes() const;

 private:
  /// Returns true if one condition with this outcome decides for all.
  bool decides(bool outcome) const { return outcome == (combined_ == ConditionalOperator::or_); }
  bool decides_when_missing(const Condition& condition) const;

  std::vector<Condition> conditions_;  ///< ascending by attribute
  ConditionalOperator combined_;
  std::size_t deciding_when_missing_;  ///< how many would decide for an item that lacks their attributes
};

/// Checks a QueryFilter or ScanFilter with its ConditionalOperator, and prepares it for many items. The first
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
  bool refused = false;  ///< as in Condition
};

/// Checks Expected with its ConditionalOperator; problems in the order of check_filter.
base::Result<Conditions, ExpressionError> check_expected(std::vector<ExpectedAttribute> expected,
                                                         std::optional<ConditionalOperator> combined);

/// Checks that there are two conditions with a ConditionalOperator. `conditions` is their number, none when
/// the request has neither filter nor Expected; check_filter and check_expected have called this already.
base::Result<void, ExpressionError> check_conditional_operator(std::optional<ConditionalOperator> combined,
                                                               std::optional<std::size_t> conditions);

}  // namespace dinette::dynamodb::expr::legacy
