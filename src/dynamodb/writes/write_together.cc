#include "dynamodb/writes/write_together.h"

#include <algorithm>
#include <utility>

#include "dinette/base/waiting.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/writes/expiration.h"
#include "dynamodb/writes/item_batch.h"

namespace dinette::dynamodb {
namespace {

/// Returns false if an action fails, or if they have too much to do.
bool decide_all(const Context& context, const ItemBatch& batch, const store::Rows& rows,
                store::RowChanges changes, std::vector<WrittenItem>& items) {
  items.clear();
  std::size_t work = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    WrittenItem& item = items.emplace_back();
    if (!batch.decide(i, rows, batch.origin_of(context, i), item)) return false;
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
  ItemBatch batch;
  batch.reserve(actions.size());
  for (const auto& [table, action] : actions) {
    const ReplicationSchema* const replication = table.schema().replication();
    if (replication && replication->strong) return std::vector<WrittenItem>();
    batch.add(*table.table, action);
  }
  std::vector<WrittenItem> items;
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    return decide_all(context, batch, rows, changes, items);
  };
  const auto written = context.store.write(batch.targets(), decide, deadline);
  if (!written && !base::may_wait()) return storage_failure(written.error());
  if (!written || written->outcome != store::WriteOutcome::applied) return std::vector<WrittenItem>();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& [table, action] = actions[i];
    if (wants_keys(context)) note_item(context, table, action.key_attributes(), items[i].plan.after_size);
    if (items[i].expires) expire_later(context, *table.table, *items[i].expires);
  }
  return items;
}

}  // namespace dinette::dynamodb
