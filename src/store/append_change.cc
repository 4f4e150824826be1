#include "store/append_change.h"

#include <utility>

namespace dinette::store {
namespace {

std::int64_t size_of(const kv::Value& record) {
  return static_cast<std::int64_t>(record.size());
}

void add_count(kv::WriteBatch& batch, std::uint8_t face, TableId table, IndexId index, const Count& count) {
  if (count == Count{} || table == no_table) return;
  batch.add(EngineKey::counters(face, table, index).view(), {count.rows, count.bytes});
}

void append_entry(kv::WriteBatch& batch, KeyOwner owner, TableId table, KeyWrite&& entry) {
  using Presence = kv::WriteBatch::Presence;
  EngineKey key = EngineKey::area(owner, table, entry.area);
  key.append(entry.key);
  const std::size_t first = batch.size();
  if (entry.value) {
    batch.put(key.view(), std::move(entry.value));
  } else {
    batch.erase(key.view());
  }
  add_count(batch, owner.face, table, entry.area.number, entry.count);
  if (entry.when == KeyWrite::When::always) return;
  const bool absent = entry.when == KeyWrite::When::absent;
  batch.only_if(first, key.view(), absent ? Presence::absent : Presence::present);
}

void append_erase(kv::WriteBatch& batch, KeyOwner owner, TableId table, const RangeErase& erase) {
  batch.erase_range(EngineRange(EngineKey::area(owner, table, erase.area), erase.range).view());
  add_count(batch, owner.face, table, erase.area.number, erase.count);
}

}  // namespace

void append_change(kv::WriteBatch& batch, KeyOwner owner, TableId table, const EngineKey& key,
                   RowChange&& change) {
  for (const RangeErase& erase : change.erased_ranges) append_erase(batch, owner, table, erase);
  if (change.row == RowChange::Row::put) batch.put(key.view(), std::move(change.value));
  if (change.row == RowChange::Row::erase) batch.erase(key.view());
  for (KeyWrite& entry : change.entries) append_entry(batch, owner, table, std::move(entry));
  for (StreamAppend& append : change.records) {
    batch.add(EngineKey::stream_counters(owner.face, append.stream).view(), {1, size_of(append.record)});
    batch.put_in_commit_order(EngineKey::stream(owner.face, append.stream).view(), std::move(append.record));
  }
  add_count(batch, owner.face, table, 0, change.count);
}

}  // namespace dinette::store
