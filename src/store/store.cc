#include "dinette/store/store.h"

#include <utility>

#include "store/cached_catalog.h"
#include "store/count.h"
#include "store/history.h"
#include "store/keys.h"
#include "store/partition_bytes.h"

namespace dinette::store {

Store::Store(kv::Engine& engine, const base::Clock& clock, base::Ids& ids, Face face, StoreOptions options)
    : engine_(engine),
      clock_(clock),
      ids_(ids),
      face_(face),
      options_(options),
      history_(std::make_unique<History>(engine, clock, options.history)),
      catalog_(std::make_unique<CachedCatalog>(engine, *history_, face, options)) {}

Store::~Store() = default;

Catalog& Store::catalog() {
  return *catalog_;
}

kv::Result<std::optional<kv::Value>> Store::read_row(const Table& table, std::string_view key) const {
  return engine_.get(EngineKey::area(face_.id, table.id, Area::rows()).append(key).view());
}

kv::Result<Count> Store::count(const Table& table, IndexId index) const {
  return decode_count(engine_.get(EngineKey::counters(face_.id, table.id, index).view()));
}

kv::Result<std::int64_t> Store::partition_bytes(const Table& table, std::string_view partition) const {
  return decode_partition_bytes(
      engine_.get(EngineKey::partition_bytes(face_.id, table.id, partition).view()));
}

kv::Result<View> Store::view() const {
  DINETTE_TRY(auto snapshot, engine_.snapshot());
  return View(std::move(snapshot), face_.id);
}

kv::Result<View> Store::view_at(base::TimePoint moment) const {
  DINETTE_TRY(auto past, history_->at(moment));
  return View(std::move(past), face_.id);
}

void Store::forget_history() {
  history_->clear();
}

kv::Result<void> Store::reset(const kv::Snapshot& snapshot) {
  DINETTE_CHECK(catalog_->forget_all_after([&] { return engine_.reset(snapshot); }));
  history_->clear();
  return {};
}

}  // namespace dinette::store
