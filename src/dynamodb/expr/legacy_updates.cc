#include "dynamodb/expr/legacy_updates.h"

#include <algorithm>
#include <utility>

#include "dynamodb/model/number.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/model/value_relations.h"

namespace dinette::dynamodb::expr::legacy {
namespace {

using model::AttributeValue;
using model::Item;
using model::List;
using model::Number;
using model::Type;
using Check = base::Result<void, ExpressionError>;

base::Failure<ExpressionError> refuse(std::string_view sentence) {
  return base::Failure{ExpressionError{std::string(model::invalid_parameters).append(sentence)}};
}

base::Failure<ExpressionError> refuse_type(std::string_view action, Type type) {
  return refuse(std::string(action) + " is not supported for the type " + std::string(type_name(type)));
}

base::Failure<ExpressionError> run_time_refusal(std::string message) {
  return base::Failure{ExpressionError{std::move(message), true}};
}

Check check_update(const AttributeUpdate& update) {
  if (!update.value) {
    if (update.action == UpdateAction::remove) return {};
    return refuse("Only DELETE action is allowed when no attribute value is specified");
  }
  const auto type = update.value->type();
  if (update.action == UpdateAction::remove && !is_set(type))
    return refuse_type("DELETE action with value", type);
  if (update.action == UpdateAction::add && !is_set(type) && type != Type::number && type != Type::list) {
    return refuse_type("ADD action", type);
  }
  return {};
}

base::Result<AttributeValue, ExpressionError> sum(const AttributeValue& old, const AttributeValue& added) {
  if (old.type() != added.type()) return run_time_refusal("Type mismatch for attribute to update");
  if (const auto* number = added.get_if<Number>()) {
    auto total = add(old.get<Number>(), *number);
    if (!total) return run_time_refusal(message(total.error(), "", model::Generation::current));
    return AttributeValue(*total);
  }
  if (const auto* list = added.get_if<List>()) {
    auto longer = old.get<List>();
    longer.insert(longer.end(), list->begin(), list->end());
    return AttributeValue(std::move(longer));
  }
  return *unite(old, added);
}

Check apply_add(const AttributeUpdate& update, Item& item) {
  auto* const old = item.find(update.name);
  if (old == nullptr) {
    item.set(update.name, *update.value);
    return {};
  }
  DINETTE_TRY(*old, sum(*old, *update.value));
  return {};
}

Check apply_remove(const AttributeUpdate& update, Item& item) {
  auto* const old = item.find(update.name);
  if (old == nullptr) return {};
  if (update.value) {
    auto rest = difference(*old, *update.value);
    if (!rest) return run_time_refusal("Type mismatch for attribute to update");
    if (element_count(*rest) != 0) {
      *old = *std::move(rest);
      return {};
    }
  }
  item.erase(update.name);
  return {};
}

Check apply(const AttributeUpdate& update, Item& item) {
  switch (update.action) {
    case UpdateAction::put:
      item.set(update.name, *update.value);
      return {};
    case UpdateAction::add:
      return apply_add(update, item);
    case UpdateAction::remove:
      return apply_remove(update, item);
  }
  return {};
}

}  // namespace

Check check_updates(std::span<const AttributeUpdate> updates) {
  for (const auto& update : updates) DINETTE_CHECK(check_update(update));
  return {};
}

base::Result<std::optional<Item>, ExpressionError> apply_updates(std::span<const AttributeUpdate> updates,
                                                                 const Item* old, const Item& key) {
  const auto removes = [](const AttributeUpdate& update) { return update.action == UpdateAction::remove; };
  const bool only_removes = !updates.empty() && std::all_of(updates.begin(), updates.end(), removes);
  if (old == nullptr && only_removes) return std::optional<Item>();
  // Each name occurs once, so working in place reads nothing that another update has written.
  Item item = old == nullptr ? key : *old;
  for (const auto& update : updates) DINETTE_CHECK(apply(update, item));
  return std::optional(std::move(item));
}

std::vector<std::string_view> touched_names(std::span<const AttributeUpdate> updates) {
  std::vector<std::string_view> names;
  names.reserve(updates.size());
  for (const auto& update : updates) names.push_back(update.name);
  return names;
}

Item touched_attributes(std::span<const AttributeUpdate> updates, const Item& item) {
  std::vector<model::Attribute> touched;
  for (const auto& update : updates) {
    if (const auto* value = item.find(update.name)) touched.push_back({update.name, *value});
  }
  return Item::from_unsorted(std::move(touched));
}

}  // namespace dinette::dynamodb::expr::legacy
