#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

#include "store/history.h"
#include "store/keys.h"

namespace dinette::store {

/// Returns the next id for a table or a stream. The lock EngineKey::last_id() must be held.
kv::Result<std::uint64_t> next_id(kv::Transaction& transaction);

/// The catalog in the engine, with a cache of every table that was ever opened, decoded.
class CachedCatalog final : public Catalog {
 public:
  /// `name_space` must outlive it.
  CachedCatalog(kv::Engine& engine, History& history, Face face, StoreOptions options,
                std::string_view name_space)
      : engine_(engine),
        history_(history),
        face_(face),
        owner_{face.id, name_space},
        options_(options),
        shared_(engine.capabilities().shared) {}

  kv::Result<TablePointer> open(std::string_view name) override;
  kv::Result<TablePointer> open_to_write(std::string_view name) override;
  kv::Result<bool> refresh() override;
  kv::Result<TablePointer> create(std::string_view name, std::string_view description,
                                  std::span<const EntryWrite> entries) override;
  kv::Result<TablePointer> update(const Table& table, DecideUpdate decide) override;
  using Catalog::drop;
  kv::Result<bool> drop(const Table& table, DecideDrop decide) override;
  kv::Result<std::vector<TablePointer>> list(std::string_view exclusive_start, std::size_t limit) override;

  kv::Result<TableAndSource> create_from(const Table& source, std::string_view name,
                                         DecideCreation decide) override;
  kv::Result<TablePointer> open_unnamed(TableId id) override;
  kv::Result<std::vector<TablePointer>> list_unnamed(TableId exclusive_start, std::size_t limit) override;

  /// Makes the next open() read the table again, if the cache has this table and no newer version than given.
  void forget(const Table& table, std::uint64_t up_to_version);
  /// Prevents table changes for the life of the lock.
  std::unique_lock<std::mutex> lock_changes() { return std::unique_lock(change_mutex_); }
  /// Makes the next open() of each table read it from the engine. Call it with changes locked.
  void forget_all();

 private:
  // Look-ups allocate no strings.
  struct HashName : std::hash<std::string_view> {
    using is_transparent = void;
  };

  kv::Result<std::uint64_t> catalog_version() const;
  TablePointer cached(std::string_view name) const;
  void remember(const TablePointer& table);
  /// Returns the current version of the table, or null if it is gone.
  kv::Result<TablePointer> current(const kv::Reader& reader, const Table& table) const;
  /// Decodes a name record as an engine returns it; returns null for none.
  kv::Result<TablePointer> decode(std::string_view name, kv::Result<std::optional<kv::Value>> record) const;
  kv::Result<TablePointer> decode_record(std::string_view name, std::string_view record) const;
  kv::Result<std::shared_ptr<const Schema>> decode_schema(std::string_view name,
                                                          std::string_view description) const;
  /// Adds the next version of `current` to the batch, and returns it.
  kv::Result<TablePointer> put_update(kv::WriteBatch& batch, const Table& current,
                                      TableUpdate&& update) const;
  void erase_dropped(kv::WriteBatch& batch, TableId table, const TableUpdate& update) const;
  /// Erases a table's record and its keys, or gives it the description of one without a name.
  kv::Result<void> put_drop(kv::WriteBatch& batch, const Table& current, const TableDrop& drop) const;
  void put_entries(kv::WriteBatch& batch, std::span<const EntryWrite> entries) const;
  void put(kv::WriteBatch& batch, const Table& table) const;
  /// Announces the change to the other servers over a shared engine.
  void announce_change(kv::WriteBatch& batch) const;
  /// Returns the same as Store::deadline().
  kv::Deadline deadline() const { return options_.deadline(); }
  /// Prevents other changes for the life of the lock. Fails with timed_out if one is in progress and this
  /// thread may not wait.
  kv::Result<std::unique_lock<std::mutex>> begin_change();

  kv::Engine& engine_;
  History& history_;
  const Face face_;
  const KeyOwner owner_;
  const StoreOptions options_;
  const bool shared_;  ///< other servers may change the tables
  /// Held while a table is created, changed, dropped or read into the cache, so that the cache cannot keep
  /// what has just been replaced. Acquired before cache_lock_.
  std::mutex change_mutex_;
  mutable std::shared_mutex cache_lock_;
  std::unordered_map<std::string, TablePointer, HashName, std::equal_to<>>
      cache_;  ///< guarded by cache_lock_
  /// No cached table is older than this version of the catalog. Changes under change_mutex_.
  std::atomic<std::uint64_t> seen_version_{0};
};

}  // namespace dinette::store
