#include "dinette/store/store.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "store/cached_catalog.h"
#include "store/count.h"
#include "store/history.h"
#include "store/keys.h"
#include "store/partition_bytes.h"
#include "store/row_version.h"

namespace dinette::store {

Store::Store(kv::Engine& engine, const base::Clock& clock, base::Ids& ids, Face face, StoreOptions options,
             std::string name_space)
    : engine_(engine),
      clock_(clock),
      ids_(ids),
      face_(face),
      name_space_(std::move(name_space)),
      options_(options),
      history_(std::make_unique<History>(engine, clock, options.history)),
      catalog_(std::make_unique<CachedCatalog>(engine, *history_, face, options, name_space_)) {}

Store::~Store() = default;

bool Store::was_written() const {
  return history_->has_commits();
}

Catalog& Store::catalog() {
  return *catalog_;
}

kv::Result<std::optional<kv::Value>> Store::read_row(const Table& table, std::string_view key) const {
  return engine_.get(EngineKey::area({face_.id, name_space_}, table.id, Area::rows()).append(key).view());
}

kv::Result<Count> Store::count(const Table& table, IndexId index) const {
  return decode_count(engine_.get(EngineKey::counters(face_.id, table.id, index).view()));
}

kv::Result<std::int64_t> Store::partition_bytes(const Table& table, std::string_view partition) const {
  return decode_partition_bytes(
      engine_.get(EngineKey::partition_bytes(face_.id, table.id, partition).view()));
}

kv::Result<StreamId> Store::new_stream() {
  const EngineKey last_id = EngineKey::last_id();
  const kv::Lock locks[] = {{last_id.view()}};
  const std::string_view reads[] = {last_id.view()};
  StreamId stream{};
  History::Commit commit(*history_);
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    DINETTE_TRY(const std::uint64_t id, next_id(transaction));
    stream = StreamId{id};
    DINETTE_CHECK(commit.begin());
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({.locks = locks, .reads = reads}, deadline(), write));
  return stream;
}

kv::Result<void> Store::trim_stream(StreamId stream, StreamPosition before, const Count& erased) {
  KeyRange range;
  before.append_to(range.end);
  const EngineRange keys(EngineKey::stream(face_.id, stream), range);
  const EngineKey counters = EngineKey::stream_counters(face_.id, stream);
  History::Commit commit(*history_);
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    transaction.batch().erase_range(keys.view());
    if (before == stream_end)
      transaction.batch().erase(counters.view());
    else
      transaction.batch().add(counters.view(), {-erased.rows, -erased.bytes});
    DINETTE_CHECK(commit.begin());
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({}, deadline(), write));
  return {};
}

kv::Result<std::optional<std::string>> Store::trim_versions(const Table& table, base::TimePoint moment,
                                                            std::string_view place) {
  constexpr int versions_per_step = 4096;
  KeyRange range;
  if (!place.empty()) range.start_after(place, Direction::forward);
  std::vector<std::string> old;
  Count erased;
  std::optional<std::string> next;
  {
    DINETTE_TRY(const View now, view());
    DINETTE_TRY(RowCursor versions, now.scan(table, Area::versions(), range, Direction::forward));
    for (int looked_at = 0; looked_at < versions_per_step; ++looked_at) {
      DINETTE_TRY(const bool more, versions.next());
      next = more ? std::optional<std::string>(versions.key()) : std::nullopt;
      if (!more) break;
      const auto version = decode_version(versions.value());
      if (!version || version->moment > moment) continue;
      old.push_back(*next);
      ++erased.rows;
      erased.bytes += static_cast<std::int64_t>(versions.value().size());
    }
  }
  if (old.empty()) return next;
  History::Commit commit(*history_);
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    for (const std::string& key : old)
      transaction.batch().erase(
          EngineKey::area({face_.id, name_space_}, table.id, Area::versions()).append(key).view());
    transaction.batch().add(EngineKey::former_counters(face_.id, table.id).view(),
                            {-erased.rows, -erased.bytes});
    DINETTE_CHECK(commit.begin());
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({}, deadline(), write));
  return next;
}

kv::Result<View> Store::view() const {
  DINETTE_TRY(auto snapshot, engine_.snapshot());
  return View(std::move(snapshot), face_.id, name_space_);
}

kv::Result<View> Store::view_at_first_read() const {
  DINETTE_TRY(auto snapshot, engine_.snapshot_at_first_read());
  return View(std::move(snapshot), face_.id, name_space_);
}

kv::Result<View> Store::view_at(base::TimePoint moment) const {
  DINETTE_TRY(auto past, history_->at(moment));
  return View(std::move(past), face_.id, name_space_);
}

void Store::forget_history() {
  history_->clear();
}

kv::Result<void> Store::reset(std::span<Store* const> stores, const kv::Snapshot& snapshot) {
  std::vector<Store*> sorted(stores.begin(), stores.end());
  std::sort(sorted.begin(), sorted.end(), std::less<>());  // so that two resets do not deadlock
  std::vector<std::unique_lock<std::mutex>> unchanging;
  for (Store* store : sorted) unchanging.push_back(store->catalog_->lock_changes());
  DINETTE_CHECK(sorted.front()->engine_.reset(snapshot));
  for (Store* store : sorted) {
    store->catalog_->forget_all();
    store->history_->clear();
  }
  return {};
}

kv::Result<void> Store::reset(const kv::Snapshot& snapshot) {
  Store* const only[] = {this};
  return reset(only, snapshot);
}

}  // namespace dinette::store
