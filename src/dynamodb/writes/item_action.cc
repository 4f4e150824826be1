#include "dynamodb/writes/item_action.h"

#include "dynamodb/writes/write_condition.h"

namespace dinette::dynamodb {

Answer<void> ItemAction::check_condition(StoredItem& old) const {
  const ItemCondition* const condition = condition_.condition;
  if (!condition || condition->always()) return {};
  if (condition_.of_stored_item && !old.exists()) return {};
  DINETTE_STORED(const model::Item* const item, old.item());
  if (condition->holds(item, old.work())) return {};
  return base::Failure{condition_failed(condition_.on_failure, old)};
}

}  // namespace dinette::dynamodb
