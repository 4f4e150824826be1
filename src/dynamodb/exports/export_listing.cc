#include "dynamodb/exports/export_listing.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/tables/export_entry.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {

kv::Result<void> for_each_export(const store::Store& store, const store::KeyRange& range,
                                 base::FunctionRef<bool(const api::ExportEntry& entry)> visit) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor entries, view.scan(exports_space, range, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    DINETTE_TRY(const api::ExportEntry entry, decode_export(entries.value()));
    if (!visit(entry)) return {};
  }
}

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

kv::Result<base::Jobs::Next> forget_exports(store::Store& store) {
  const codec::Timestamp now = timestamp(store.clock().now());
  std::vector<std::string> over;
  base::Jobs::Next next = base::Jobs::done;
  DINETTE_CHECK(for_each_export(store, {}, [&](const api::ExportEntry& entry) {
    const base::TimePoint end = end_of(entry);
    if (is_over(entry, now) && !is_running(entry)) over.push_back(key_of(entry));
    if (!is_over(entry, now) && (!next || end < *next)) next = end;
    return true;
  }));
  for (std::string& key : over) DINETTE_CHECK(write_entry(store, {exports_space, std::move(key), {}}));
  return next;
}

}  // namespace dinette::dynamodb
