#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/expr/expression_error.h"
#include "dynamodb/model/attribute_value.h"

/// AttributeUpdates of UpdateItem (docs/service/legacy-api.md section 5).
namespace dinette::dynamodb::expr::legacy {

/// An element of AttributeUpdates. Each name occurs once.
struct AttributeUpdate {
  std::string name;
  api::AttributeAction action = api::AttributeAction::put;
  std::optional<model::AttributeValue> value;
};

/// Checks that actions have values of the right types, where they need them; returns the first problem.
base::Result<void, ExpressionError> check_updates(std::span<const AttributeUpdate> updates);

/// The item after the checked `updates` of `old`, or of an item made of `key` alone when there is none; both
/// stay as they are. No item when there was none and every update is a DELETE, which creates nothing. Errors
/// are `bare`.
base::Result<std::optional<model::Item>, ExpressionError> apply_updates(
    std::span<const AttributeUpdate> updates, const model::Item* old, const model::Item& key);

/// The attributes that the updates write or remove, in the order given.
std::vector<std::string_view> touched_names(std::span<const AttributeUpdate> updates);

/// Returns, for ReturnValues UPDATED_OLD and UPDATED_NEW, the touched attributes that `item` has.
model::Item touched_attributes(std::span<const AttributeUpdate> updates, const model::Item& item);

}  // namespace dinette::dynamodb::expr::legacy
