#include "dynamodb/writes/write_item.h"

#include <utility>

namespace dinette::dynamodb {
namespace {

/// A write would make an item collection larger than it may be (docs/service/wire.md section 3, indexes.md
/// section 1).
base::Failure<ApiError> collection_full() {
  return base::Failure{
      ApiError{api::ErrorCode::item_collection_size_limit_exceeded_exception, "Collection size exceeded."}};
}

/// Lets `action` decide on `written.old`, and works out what is to be written.
Answer<void> decide_on(const TableSchema& schema, ItemAction& action, WrittenItem& written) {
  DINETTE_TRY(const ItemImage after, action.decide(written.old));
  written.record = after.record;
  written.write = plan_write(schema, written.old.image(schema), after);
  return {};
}

}  // namespace

Answer<std::optional<WrittenItem>> write_item(const Context& context, const OpenTable& table,
                                              ItemAction& action, std::optional<kv::Deadline> deadline) {
  const TableSchema& schema = table.schema();
  const AttributeNames interest = united(action.interest(), schema.indexed_attributes());
  WrittenItem written;
  const auto decide = [&](const kv::Value* current, store::RowChange& change) -> Answer<void> {
    written.old = StoredItem(current, interest);
    DINETTE_CHECK(decide_on(schema, action, written));
    change = std::move(written.write.change);
    return {};
  };
  DINETTE_STORED(auto done, context.store.write(*table.table, action.key(), decide, deadline));
  switch (done.outcome) {
    case store::WriteOutcome::table_changed:
      return std::optional<WrittenItem>();
    case store::WriteOutcome::partition_full:
      return collection_full();
    case store::WriteOutcome::refused:
      return base::Failure{std::move(done.decision).error()};
    case store::WriteOutcome::applied:
      break;
  }
  return std::optional(std::move(written));
}

}  // namespace dinette::dynamodb
