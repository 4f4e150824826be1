#include "dynamodb/writes/item_batch.h"

namespace dinette::dynamodb {

void ItemBatch::reserve(std::size_t actions) {
  members_.reserve(actions);
  targets_.reserve(actions);
}

void ItemBatch::add(const store::Table& table, ItemAction& action) {
  const auto& schema = table.schema_as<TableSchema>();
  members_.push_back({&schema, &action, attributes_needed(action, schema), marks_.size()});
  targets_.push_back(store::WriteTarget::row(table, action.key()));
  if (schema.replication()) marks_.push_back(store::WriteTarget::mark(table, action.key()));
}

const std::vector<store::WriteTarget>& ItemBatch::targets() {
  targets_.insert(targets_.end(), marks_.begin(), marks_.end());
  marks_.clear();
  return targets_;
}

Answer<void> ItemBatch::decide(std::size_t index, const store::Rows& rows, WriteOrigin origin,
                               WrittenItem& written) const {
  const Member& member = members_[index];
  const kv::Value* const mark = member.schema->replication() ? rows[members_.size() + member.mark] : nullptr;
  return decide_item(rows[index], mark, member.interest, *member.schema, *member.action, origin, written);
}

}  // namespace dinette::dynamodb
