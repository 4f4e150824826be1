#include "dynamodb/tasks/kept_entry.h"

#include <span>

namespace dinette::dynamodb {

kv::Result<void> write_entry(store::Store& store, const store::EntryWrite& entry) {
  const store::WriteTarget target = store::WriteTarget::entry(entry.space, entry.key);
  const auto decide = [&](const store::Rows&, store::RowChanges changes) {
    using Row = store::RowChange::Row;
    changes[0].row = entry.value ? Row::put : Row::erase;
    changes[0].value = entry.value;
    return true;
  };
  DINETTE_CHECK(store.write(std::span(&target, 1), decide));
  return {};
}

}  // namespace dinette::dynamodb
