#include "dynamodb/writes/write_together.h"

#include <algorithm>
#include <utility>

#include "dinette/base/waiting.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/writes/expiration.h"

namespace dinette::dynamodb {
namespace {

/// Returns false if an action fails, or if they have too much to do.
bool decide_all(const Context& context, std::span<const ActionOnTable> actions,
                std::span<const AttributeNames> interests, const store::Rows& rows, store::RowChanges changes,
                std::vector<WrittenItem>& items) {
  items.clear();
  std::size_t work = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const auto& [table, action] = actions[i];
    WrittenItem& item = items.emplace_back();
    if (!decide_item(rows[i], interests[i], table.schema(), action, {context.moment}, item)) return false;
    changes[i] = std::move(item.plan.change);
    work += work_of(item);
    if (work >= model::limits::request_work) return false;
    item.old.forget_item();
  }
  return true;
}

}  // namespace

Answer<std::vector<WrittenItem>> write_together(const Context& context,
                                                std::span<const ActionOnTable> actions,
                                                kv::Deadline deadline) {
  std::vector<store::WriteTarget> targets;
  std::vector<AttributeNames> interests;
  for (const auto& [table, action] : actions) {
    targets.push_back(store::WriteTarget::row(*table.table, action.key()));
    interests.push_back(attributes_needed(action, table.schema()));
  }
  std::vector<WrittenItem> items;
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    return decide_all(context, actions, interests, rows, changes, items);
  };
  const auto written = context.store.write(targets, decide, deadline);
  if (!written && !base::may_wait()) return storage_failure(written.error());
  if (!written || written->outcome != store::WriteOutcome::applied) return std::vector<WrittenItem>();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& [table, action] = actions[i];
    if (notes_keys(context)) note_item(context, table, action.key_attributes(), items[i].plan.after_size);
    if (items[i].expires) expire_later(context, *table.table, *items[i].expires);
  }
  return items;
}

}  // namespace dinette::dynamodb
