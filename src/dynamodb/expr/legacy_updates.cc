#include "dynamodb/expr/legacy_updates.h"

#include <algorithm>
#include <utility>

#include "dynamodb/model/number.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/model/value_relations.h"

namespace dinette::dynamodb::expr::legacy {
namespace {

using api::AttributeAction;
using model::AttributeValue;
using model::Item;
using model::List;
using model::Number;
using model::Type;
using Check = base::Result<void, ExpressionError>;

base::Failure<ExpressionError> refuse_update(std::string_view sentence) {
  return base::Failure{ExpressionError{std::string(model::invalid_parameters).append(sentence)}};
}

base::Failure<ExpressionError> refuse_type(std::string_view action, Type type) {
  return refuse_update(std::string(action) + " is not supported for the type " +
                       std::string(type_name(type)));
}

base::Failure<ExpressionError> run_time_refusal(std::string message) {
  return base::Failure{ExpressionError{std::move(message), true}};
}

Check check_update(const AttributeUpdate& update) {
  if (!update.value) {
    if (update.action == AttributeAction::delete_) return {};
    return refuse_update("Only DELETE action is allowed when no attribute value is specified");
  }
  const auto type = update.value->type();
  if (update.action == AttributeAction::delete_ && !is_set(type))
    return refuse_type("DELETE action with value", type);
  if (update.action == AttributeAction::add && !is_set(type) && type != Type::number && type != Type::list) {
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

/// What an attribute is afterwards; none when it is not there.
using Outcome = base::Result<std::optional<AttributeValue>, ExpressionError>;

Outcome added(const AttributeUpdate& update, const AttributeValue* old) {
  if (old == nullptr) return update.value;
  DINETTE_TRY(AttributeValue total, sum(*old, *update.value));
  return std::optional(std::move(total));
}

Outcome removed(const AttributeUpdate& update, const AttributeValue* old) {
  if (old == nullptr || !update.value) return std::optional<AttributeValue>();
  auto rest = difference(*old, *update.value);
  if (!rest) return run_time_refusal("Type mismatch for attribute to update");
  if (element_count(*rest) == 0) rest.reset();
  return rest;
}

Outcome applied(const AttributeUpdate& update, const AttributeValue* old) {
  switch (update.action) {
    case AttributeAction::put:
      return update.value;
    case AttributeAction::add:
      return added(update, old);
    case AttributeAction::delete_:
      return removed(update, old);
  }
  return update.value;
}

}  // namespace

Check check_updates(std::span<const AttributeUpdate> updates) {
  for (const auto& update : updates) DINETTE_CHECK(check_update(update));
  return {};
}

base::Result<std::optional<Item>, ExpressionError> apply_updates(std::span<const AttributeUpdate> updates,
                                                                 const Item* old, const Item& key) {
  const auto removes = [](const AttributeUpdate& update) {
    return update.action == AttributeAction::delete_;
  };
  const bool only_removes = !updates.empty() && std::all_of(updates.begin(), updates.end(), removes);
  if (old == nullptr && only_removes) return std::optional<Item>();
  // Each name occurs once. All are put in order together: one by one, many would take quadratic time.
  const Item& before = old == nullptr ? key : *old;
  std::vector<model::Attribute> written;
  std::vector<std::string_view> touched;
  for (const auto& update : updates) {
    DINETTE_TRY(std::optional<AttributeValue> value, applied(update, before.find(update.name)));
    touched.push_back(update.name);
    if (value) written.push_back({update.name, *std::move(value)});
  }
  std::sort(touched.begin(), touched.end());
  for (const model::Attribute& attribute : before) {
    if (!std::binary_search(touched.begin(), touched.end(), attribute.name)) written.push_back(attribute);
  }
  return std::optional(Item::from_unsorted(std::move(written)));
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
