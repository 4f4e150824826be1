#include "store/cached_catalog.h"

#include <functional>
#include <limits>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/store/key_codec.h"

#include "store/keys.h"
#include "store/name_record.h"
#include "store/stamp.h"

namespace dinette::store {
namespace {

constexpr std::uint64_t newest_version = std::numeric_limits<std::uint64_t>::max();

kv::Error corrupt(std::string_view what, std::string_view name) {
  return {kv::ErrorKind::corrupt, std::string(what) + " of table " + std::string(name) + " cannot be read"};
}

}  // namespace

kv::Result<std::uint64_t> next_id(kv::Transaction& transaction) {
  const EngineKey key = EngineKey::last_id();
  DINETTE_TRY(const auto last, transaction.get(key.view()));
  const std::uint64_t id = (last ? read_stamp(last->view()) : 0) + 1;
  transaction.batch().put(key.view(), make_stamp(id));
  return id;
}

kv::Result<TablePointer> CachedCatalog::open(std::string_view name) {
  if (shared_) DINETTE_CHECK(refresh());
  return open_to_write(name);
}

kv::Result<TablePointer> CachedCatalog::open_to_write(std::string_view name) {
  if (TablePointer table = cached(name)) return table;
  const EngineKey key = EngineKey::name(owner_, name);
  // That a table does not exist is not cached, so it is reported without waiting for table changes.
  DINETTE_TRY(const auto record, engine_.get(key.view()));
  if (!record) return TablePointer();
  DINETTE_TRY(const auto guard, begin_change());
  DINETTE_TRY(TablePointer table, decode(name, engine_.get(key.view())));
  if (table != nullptr) remember(table);
  return table;
}

kv::Result<TablePointer> CachedCatalog::create(std::string_view name, std::string_view description,
                                               std::span<const EntryWrite> entries) {
  Table table{
      .version = 1, .name = std::string(name), .description = std::string(description), .schema = nullptr};
  DINETTE_TRY(table.schema, decode_schema(name, description));

  DINETTE_TRY(const auto guard, begin_change());
  const EngineKey key = EngineKey::name(owner_, name);
  const EngineKey last_id = EngineKey::last_id();
  const kv::Lock locks[] = {{key.view()}, {last_id.view()}};
  const std::string_view reads[] = {key.view(), last_id.view()};
  bool taken = false;
  History::Commit commit(history_);
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    DINETTE_TRY(const auto existing, transaction.get(key.view()));
    taken = existing.has_value();
    if (taken) return kv::Decision::abandon;
    DINETTE_TRY(table.id, next_id(transaction));
    put(transaction.batch(), table);
    put_entries(transaction.batch(), entries);
    DINETTE_CHECK(commit.begin());
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({.locks = locks, .reads = reads}, deadline(), write));
  if (taken) return TablePointer();
  auto created = std::make_shared<const Table>(std::move(table));
  remember(created);
  if (options_.appended) options_.appended();
  return TablePointer(created);
}

kv::Result<TablePointer> CachedCatalog::update(const Table& table, DecideUpdate decide) {
  DINETTE_TRY(const auto guard, begin_change());
  const EngineKey key = EngineKey::record(owner_, table);
  const EngineKey table_key = EngineKey::table(face_.id, table.id);
  const kv::Lock locks[] = {{key.view()}, {table_key.view()}};
  const std::string_view reads[] = {key.view()};
  TablePointer result;
  History::Commit commit(history_);
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    DINETTE_TRY(result, current(transaction, table));
    if (result == nullptr) return kv::Decision::abandon;
    std::optional<TableUpdate> decided = decide(*result);
    if (!decided) return kv::Decision::abandon;
    DINETTE_TRY(result, put_update(transaction.batch(), *result, *std::move(decided)));
    DINETTE_CHECK(commit.begin());
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({.locks = locks, .reads = reads}, deadline(), write));
  if (result != nullptr) {
    remember(result);
    if (options_.appended) options_.appended();  // shards may have been closed
  } else {
    forget(table, newest_version);
  }
  return result;
}

kv::Result<bool> CachedCatalog::drop(const Table& table, DecideDrop decide) {
  DINETTE_TRY(const auto guard, begin_change());
  const EngineKey key = EngineKey::record(owner_, table);
  const EngineKey begin = EngineKey::table(face_.id, table.id);
  const kv::Lock locks[] = {{key.view()}, {begin.view()}};
  const std::string_view reads[] = {key.view()};
  TablePointer kept;
  bool dropped = false;
  History::Commit commit(history_);
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    DINETTE_TRY(kept, current(transaction, table));
    const std::optional<TableDrop> decided = kept ? decide(*kept) : std::nullopt;
    dropped = decided.has_value();
    if (!dropped) return kv::Decision::abandon;
    DINETTE_CHECK(put_drop(transaction.batch(), *kept, *decided));
    DINETTE_CHECK(commit.begin());
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({.locks = locks, .reads = reads}, deadline(), write));
  if (dropped || kept == nullptr) {
    forget(table, newest_version);
    if (options_.appended) options_.appended();
  } else {
    remember(kept);
  }
  return dropped;
}

kv::Result<TableAndSource> CachedCatalog::create_from(const Table& source, std::string_view name,
                                                      DecideCreation decide) {
  DINETTE_TRY(const auto guard, begin_change());
  const EngineKey source_key = EngineKey::record(owner_, source);
  const EngineKey source_table = EngineKey::table(face_.id, source.id);
  const EngineKey last_id = EngineKey::last_id();
  const EngineKey name_key = EngineKey::name(owner_, name);  // not of a table if it is empty
  const kv::Lock locks[] = {{source_key.view()}, {source_table.view()}, {last_id.view()}, {name_key.view()}};
  const std::string_view reads[] = {source_key.view(), name_key.view(), last_id.view()};
  TableAndSource result;
  History::Commit commit(history_);
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    result.created.reset();
    DINETTE_TRY(result.source, current(transaction, source));
    DINETTE_TRY(const auto taken, transaction.get(name_key.view()));
    if (result.source == nullptr || taken) return kv::Decision::abandon;
    Table table{.version = 1, .name = std::string(name), .description = {}, .schema = nullptr};
    DINETTE_TRY(table.id, next_id(transaction));
    std::optional<TableCreation> decided = decide(*result.source, table.id);
    if (!decided) return kv::Decision::abandon;
    DINETTE_TRY(result.source, put_update(transaction.batch(), *result.source, std::move(decided->source)));
    table.description = std::move(decided->description);
    DINETTE_TRY(table.schema, decode_schema(name, table.description));
    put(transaction.batch(), table);
    result.created = std::make_shared<const Table>(std::move(table));
    DINETTE_CHECK(commit.begin());
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({.locks = locks, .reads = reads}, deadline(), write));
  if (result.source == nullptr) forget(source, newest_version);
  if (result.created != nullptr) {
    remember(result.source);
    remember(result.created);
  }
  return result;
}

kv::Result<TablePointer> CachedCatalog::open_unnamed(TableId id) {
  return decode({}, engine_.get(EngineKey::unnamed(owner_, id).view()));
}

kv::Result<std::vector<TablePointer>> CachedCatalog::list_unnamed(TableId exclusive_start,
                                                                  std::size_t limit) {
  const EngineKey begin = EngineKey::unnamed(owner_, exclusive_start + 1);
  const std::string end = base::prefix_end(EngineKey::unnamed(owner_, no_table).view());
  DINETTE_TRY(const auto snapshot, engine_.snapshot());
  DINETTE_TRY(const auto cursor, snapshot->cursor({begin.view(), end}));
  std::vector<TablePointer> tables;
  DINETTE_TRY(bool more, cursor->first());
  while (more && tables.size() < limit) {
    DINETTE_TRY(TablePointer table, decode_record({}, cursor->value()));
    tables.push_back(std::move(table));
    DINETTE_TRY(more, cursor->next());
  }
  return tables;
}

kv::Result<std::vector<TablePointer>> CachedCatalog::list(std::string_view exclusive_start,
                                                          std::size_t limit) {
  const EngineKey prefix = EngineKey::names(owner_);
  const std::string end = base::prefix_end(prefix.view());
  EngineKey begin = prefix;
  if (!exclusive_start.empty()) {
    begin = EngineKey::name(owner_, exclusive_start);
    begin.append(std::string_view("\0", 1));  // the next possible key
  }
  DINETTE_TRY(const auto snapshot, engine_.snapshot());
  DINETTE_TRY(const auto cursor, snapshot->cursor({begin.view(), end}));

  std::vector<TablePointer> tables;
  if (limit == 0) return tables;
  DINETTE_TRY(bool more, cursor->first());
  while (more) {
    const auto name = TupleReader(cursor->key().substr(prefix.size())).read_bytes();
    if (!name) return base::Failure{corrupt("The name record", "(unknown)")};
    DINETTE_TRY(TablePointer table, decode_record(*name, cursor->value()));
    tables.push_back(std::move(table));
    if (tables.size() == limit) break;
    DINETTE_TRY(more, cursor->next());
  }
  return tables;
}

kv::Result<std::unique_lock<std::mutex>> CachedCatalog::begin_change() {
  std::unique_lock lock(change_mutex_, std::defer_lock);
  if (base::may_wait()) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return base::Failure{kv::Error{kv::ErrorKind::timed_out, "the tables are being changed"}};
  }
  return lock;
}

TablePointer CachedCatalog::cached(std::string_view name) const {
  const std::shared_lock guard(cache_lock_);
  const auto found = cache_.find(name);
  return found == cache_.end() ? nullptr : found->second;
}

void CachedCatalog::remember(const TablePointer& table) {
  if (table->name.empty()) return;
  const std::unique_lock guard(cache_lock_);
  const auto found = cache_.find(std::string_view(table->name));
  // An old version is replaced without an allocation: if that failed, the old one would stay.
  if (found != cache_.end())
    found->second = table;
  else
    cache_.emplace(table->name, table);
}

void CachedCatalog::forget(const Table& table, std::uint64_t up_to_version) {
  const std::unique_lock guard(cache_lock_);
  const auto found = cache_.find(std::string_view(table.name));
  // A newer table of the same name stays.
  if (found != cache_.end() && found->second->id == table.id && found->second->version <= up_to_version) {
    cache_.erase(found);
  }
}

void CachedCatalog::forget_all() {
  const std::unique_lock guard(cache_lock_);
  cache_.clear();
}

kv::Result<bool> CachedCatalog::refresh() {
  if (!shared_) return false;
  DINETTE_TRY(std::uint64_t version, catalog_version());
  if (version == seen_version_) return false;
  DINETTE_TRY(const auto guard, begin_change());
  // Read again: nothing that is cached from here on is older.
  DINETTE_TRY(version, catalog_version());
  forget_all();
  seen_version_ = version;
  return true;
}

kv::Result<std::uint64_t> CachedCatalog::catalog_version() const {
  DINETTE_TRY(const auto version, engine_.get(EngineKey::catalog_version(face_.id).view()));
  return version ? read_stamp(version->view()) : 0;
}

kv::Result<TablePointer> CachedCatalog::current(const kv::Reader& reader, const Table& table) const {
  const EngineKey key = EngineKey::record(owner_, table);
  DINETTE_TRY(TablePointer named, decode(table.name, reader.get(key.view())));
  return named && named->id == table.id ? named : TablePointer();
}

kv::Result<TablePointer> CachedCatalog::decode(std::string_view name,
                                               kv::Result<std::optional<kv::Value>> record) const {
  DINETTE_CHECK(record);
  if (!record->has_value()) return TablePointer();
  return decode_record(name, record.value()->view());
}

kv::Result<TablePointer> CachedCatalog::decode_record(std::string_view name, std::string_view record) const {
  if (!is_name_record(record)) return base::Failure{corrupt("The record", name)};
  Table table{.id = id_in_name_record(record),
              .version = read_stamp(record.substr(1 + sizeof(TableId))),
              .name = std::string(name),
              .description = std::string(record.substr(name_record_header_size)),
              .schema = nullptr};
  DINETTE_TRY(table.schema, decode_schema(name, table.description));
  return TablePointer(std::make_shared<const Table>(std::move(table)));
}

kv::Result<std::shared_ptr<const Schema>> CachedCatalog::decode_schema(std::string_view name,
                                                                       std::string_view description) const {
  auto schema = face_.decode(description);
  if (schema == nullptr) return base::Failure{corrupt("The description", name)};
  return schema;
}

kv::Result<TablePointer> CachedCatalog::put_update(kv::WriteBatch& batch, const Table& current,
                                                   TableUpdate&& update) const {
  Table changed = current;
  ++changed.version;
  changed.description = std::move(update.description);
  DINETTE_TRY(changed.schema, decode_schema(current.name, changed.description));
  put(batch, changed);
  erase_dropped(batch, changed.id, update);
  put_entries(batch, update.entries);
  return TablePointer(std::make_shared<const Table>(std::move(changed)));
}

kv::Result<void> CachedCatalog::put_drop(kv::WriteBatch& batch, const Table& current,
                                         const TableDrop& drop) const {
  const EngineKey begin = EngineKey::table(face_.id, current.id);
  const std::string end = base::prefix_end(begin.view());
  put_entries(batch, drop.entries);
  batch.erase(EngineKey::record(owner_, current).view());
  if (!drop.unnamed || drop.drops_versions)
    batch.erase(EngineKey::former_counters(face_.id, current.id).view());
  if (!drop.unnamed) {
    batch.erase_range({begin.view(), end});
    announce_change(batch);
    return {};
  }
  Table unnamed = current;
  ++unnamed.version;
  unnamed.name.clear();
  unnamed.description = *drop.unnamed;
  DINETTE_TRY(unnamed.schema, decode_schema({}, unnamed.description));
  put(batch, unnamed);
  // What was derived from the rows is before and after them and their versions.
  const EngineKey rows = EngineKey::area(owner_, current.id, Area::rows());
  const EngineKey first_index = EngineKey::counters(face_.id, current.id, 1);
  batch.erase_range({first_index.view(), rows.view()});
  const Area last_kept = drop.drops_versions ? Area::rows() : Area::versions();
  const std::string kept_end = base::prefix_end(EngineKey::area(owner_, current.id, last_kept).view());
  batch.erase_range({kept_end, end});
  return {};
}

void CachedCatalog::erase_dropped(kv::WriteBatch& batch, TableId table, const TableUpdate& update) const {
  const auto erase_area = [&](Area area) {
    const EngineKey entries = EngineKey::area(owner_, table, area);
    batch.erase_range({entries.view(), base::prefix_end(entries.view())});
  };
  for (const IndexId index : update.dropped_indexes) {
    erase_area(Area::of_index(index));
    batch.erase(EngineKey::counters(face_.id, table, index).view());
  }
  if (update.drops_expiry) erase_area(Area::expiry());
  if (update.drops_marks) erase_area(Area::marks());
  if (!update.drops_versions) return;
  erase_area(Area::versions());
  batch.erase(EngineKey::former_counters(face_.id, table).view());
}

void CachedCatalog::put_entries(kv::WriteBatch& batch, std::span<const EntryWrite> entries) const {
  for (const EntryWrite& entry : entries) {
    EngineKey key = EngineKey::area(owner_, no_table, Area::of_face(entry.space));
    key.append(entry.key);
    if (entry.value)
      batch.put(key.view(), entry.value);
    else
      batch.erase(key.view());
  }
}

void CachedCatalog::put(kv::WriteBatch& batch, const Table& table) const {
  std::string header(1, name_record_format);
  base::append_big_endian(header, table.id);
  base::append_big_endian(header, table.version);
  batch.put(EngineKey::record(owner_, table).view(), kv::Value::join({header, table.description}));
  batch.put(EngineKey::stamp(face_.id, table.id).view(), make_stamp(table.version));
  announce_change(batch);
}

void CachedCatalog::announce_change(kv::WriteBatch& batch) const {
  if (shared_) batch.add(EngineKey::catalog_version(face_.id).view(), {1});
}

}  // namespace dinette::store
