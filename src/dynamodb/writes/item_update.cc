#include "dynamodb/writes/item_update.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"

namespace dinette::dynamodb {
namespace {

namespace legacy = expr::legacy;
using LegacyUpdates = std::vector<legacy::AttributeUpdate>;

}  // namespace

ItemUpdate::ItemUpdate(expr::Update update) : update_(std::move(update)) {
  const auto& bound = std::get<expr::Update>(update_);
  attributes_ = bound.attributes();
  changed_ = in_order(attributes_);
  interest_ = united(in_order(bound.operands()), changed_);
}

ItemUpdate::ItemUpdate(LegacyUpdates updates) : update_(std::move(updates)) {
  attributes_ = legacy::touched_names(std::get<LegacyUpdates>(update_));
  changed_ = interest_ = in_order(attributes_);
}

base::Result<std::optional<model::Item>, expr::ExpressionError> ItemUpdate::apply(
    const model::Item* old, const model::Item& key) const {
  if (const auto* update = std::get_if<expr::Update>(&update_)) return update->apply(old, key);
  if (const auto* updates = std::get_if<LegacyUpdates>(&update_))
    return legacy::apply_updates(*updates, old, key);
  return std::optional(old ? *old : key);
}

model::Item ItemUpdate::touched(const model::Item& item) const {
  if (const auto* update = std::get_if<expr::Update>(&update_)) return update->touched(item);
  if (const auto* updates = std::get_if<LegacyUpdates>(&update_))
    return legacy::touched_attributes(*updates, item);
  return {};
}

std::span<const std::string_view> ItemUpdate::reached_into() const {
  const auto* update = std::get_if<expr::Update>(&update_);
  return update ? update->reached_into() : std::span<const std::string_view>();
}

bool ItemUpdate::takes_from_item(std::string_view attribute, const model::Item& before) const {
  const auto* update = std::get_if<expr::Update>(&update_);
  return update && update->takes_from_item(attribute, before);
}

bool ItemUpdate::within_statement_limit(const model::Item* old) const {
  const auto* update = std::get_if<expr::Update>(&update_);
  return !update || update->statement_charge(old) <= model::limits::item_bytes;
}

Answer<ItemUpdate> attribute_updates(Envelope envelope, UpdatesInput& sent) {
  LegacyUpdates updates;
  for (auto& [name, update] : *sent) {
    auto& taken = updates.emplace_back();
    taken.name = name;
    taken.action = update.action;
    if (update.value) taken.value = std::move(update.value->value);
  }
  if (const auto checked = legacy::check_updates(updates); !checked)
    return validation(envelope, checked.error());
  return ItemUpdate(std::move(updates));
}

const codec::ValueProblem* problem_of(const UpdatesInput& updates) {
  codec::FirstProblem first;
  if (!updates) return nullptr;
  for (const auto& [name, update] : *updates) {
    first.add(codec::problem_of_name(name));
    if (update.value) first.add(update.value->problem);
  }
  return first.get();
}

}  // namespace dinette::dynamodb
