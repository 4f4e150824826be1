#include "dynamodb/writes/item_batch.h"

namespace dinette::dynamodb {

void ItemBatch::reserve(std::size_t actions) {
  members_.reserve(actions);
  targets_.reserve(actions);
}

void ItemBatch::add(const store::Table& table, ItemAction& action) {
  const auto& schema = table.schema_as<TableSchema>();
  members_.push_back({&schema, &action, attributes_needed(action, schema)});
  targets_.push_back(store::WriteTarget::row(table, action.key()));
}

Answer<void> ItemBatch::decide(std::size_t index, const store::Rows& rows, WriteOrigin origin,
                               WrittenItem& written) const {
  const Member& member = members_[index];
  return decide_item(rows[index], member.interest, *member.schema, *member.action, origin, written);
}

}  // namespace dinette::dynamodb
