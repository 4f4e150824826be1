#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/kv/engine.h"
#include "dinette/store/entry.h"

namespace dinette::store {

/// The description of a table, decoded by the face. Immutable: threads share it.
struct Schema {
  virtual ~Schema() = default;

  /// Returns the part of a row key that names its partition, in tables whose partitions are counted (see
  /// RowChange::partition_bytes); empty in all others.
  virtual std::string_view counted_partition([[maybe_unused]] std::string_view row_key) const { return {}; }

  /// Returns true if each write that changes or erases a row must keep its former value, so that the table
  /// can be read as it was (past_rows.h). Not for tables with rows of several keys.
  virtual bool keeps_versions() const { return false; }
};

/// Returns null if the bytes cannot be decoded.
using SchemaDecoder = std::shared_ptr<const Schema> (*)(std::string_view description);

/// Names an index within its table; chosen by the face. 0 is the table itself.
using IndexId = std::uint32_t;

/// Never reused, not even by another face over the same engine.
using TableId = std::uint64_t;

/// One version of a table. Immutable: changing the table creates a new version, and writes through this one
/// then end with WriteOutcome::table_changed.
struct Table {
  TableId id = 0;
  std::uint64_t version = 0;  ///< 1 for a new table, plus one per update
  std::string name;           ///< empty for a table without a name, which only its id finds
  std::string description;    ///< the face's bytes
  std::shared_ptr<const Schema> schema;

  /// Returns the schema as the type that the decoder of the face makes.
  template <class FaceSchema>
  const FaceSchema& schema_as() const {
    return static_cast<const FaceSchema&>(*schema);
  }
};

using TablePointer = std::shared_ptr<const Table>;

/// The changes of a table update.
struct TableUpdate {
  TableUpdate(std::string new_description, std::vector<IndexId> indexes = {})  // NOLINT: implicit
      : description(std::move(new_description)), dropped_indexes(std::move(indexes)) {}

  std::string description;
  std::vector<IndexId> dropped_indexes;  ///< their entries and counters are dropped with the old description
  bool drops_expiry = false;             ///< so do the expiry entries
  bool drops_versions = false;           ///< and the former values of rows
  bool drops_marks = false;              ///< and the marks of rows
  std::vector<EntryWrite> entries = {};  ///< written in the same commit
};

/// The writes made together with dropping a table.
struct TableDrop {
  std::vector<EntryWrite> entries = {};
  /// If set, the table only loses its name: it keeps its id, its rows and their former values, and gets this
  /// description. What was derived from the rows is dropped.
  std::optional<std::string> unnamed = std::nullopt;
  bool drops_versions = false;  ///< the former values are dropped as well
};

/// The changes when one table is created from another.
struct TableCreation {
  std::string description;  ///< of the new table
  TableUpdate source;       ///< of the other one
};

/// The tables after these changes.
struct TableAndSource {
  TablePointer created;
  TablePointer source;
};

/// The tables of one store: kept in the engine, cached decoded. Every member may be called from several
/// threads at once.
///
/// Over a shared engine (kv::Capabilities::shared) each call sees what the catalogs of other servers changed
/// before it; open() then checks each time, with one read, whether anything has changed.
class Catalog {
 public:
  virtual ~Catalog() = default;

  /// Returns the table of that name, or null if there is none. For a cached table this is one look-up without
  /// an allocation.
  virtual kv::Result<TablePointer> open(std::string_view name) = 0;

  /// The same for a write, without the read: over a shared engine the table may be out of date. The write
  /// will notice (WriteOutcome::table_changed), and then the next call returns it as it is. Whoever refuses
  /// something for what this returned asks refresh() first.
  virtual kv::Result<TablePointer> open_to_write(std::string_view name) = 0;

  /// Makes sure that from here on nothing older is opened than what is stored now. Returns true if other
  /// servers have changed tables since this was last known; false, at no cost, unless the engine is shared.
  virtual kv::Result<bool> refresh() = 0;

  /// Creates a table. Returns null if the name is taken. Fails with ErrorKind::corrupt if the decoder of the
  /// face refuses `description`; nothing is stored then. `entries` are written in the same commit.
  virtual kv::Result<TablePointer> create(std::string_view name, std::string_view description,
                                          std::span<const EntryWrite> entries = {}) = 0;

  /// Returns the new description, or nullopt to leave the table as it is (the face keeps the reason in what
  /// it captured). May run more than once and must depend only on its argument.
  using DecideUpdate = base::FunctionRef<std::optional<TableUpdate>(const Table& current)>;
  /// Updates the table. Returns it as it is afterwards, or null if it is gone; a newer table of the same name
  /// is not changed. `table` may be any version. Once this has returned, no write decided on an earlier
  /// version can commit.
  virtual kv::Result<TablePointer> update(const Table& table, DecideUpdate decide) = 0;

  /// Returns nullopt if the table is to stay. Otherwise as DecideUpdate.
  using DecideDrop = base::FunctionRef<std::optional<TableDrop>(const Table& current)>;
  /// Drops the table with its rows and everything derived from them, in constant time. Returns false if the
  /// table stays or is already gone; a newer table of the same name is not dropped. `table` may be any
  /// version.
  virtual kv::Result<bool> drop(const Table& table, DecideDrop decide) = 0;
  kv::Result<bool> drop(const Table& table) {
    return drop(table, [](const Table&) { return TableDrop(); });
  }

  /// Returns nullopt to leave everything as it is. Otherwise as DecideUpdate; `created` is the id of the new
  /// table.
  using DecideCreation =
      base::FunctionRef<std::optional<TableCreation>(const Table& source, TableId created)>;
  /// Updates `source`, which may be any version of it, and creates a table in the same commit, without a name
  /// if `name` is empty. Returns no new table if the name is taken or `source` is gone; `decide` was not
  /// called then.
  virtual kv::Result<TableAndSource> create_from(const Table& source, std::string_view name,
                                                 DecideCreation decide) = 0;

  /// Returns the table without a name of that id, or null if there is none. Reads it each time.
  virtual kv::Result<TablePointer> open_unnamed(TableId id) = 0;

  /// Returns up to `limit` tables without names, in the order of their ids, from the first after
  /// `exclusive_start` (0 for all).
  virtual kv::Result<std::vector<TablePointer>> list_unnamed(TableId exclusive_start, std::size_t limit) = 0;

  /// Returns up to `limit` tables, in the order of the bytes of their names, from the first after
  /// `exclusive_start`, which need not exist ("" for all).
  virtual kv::Result<std::vector<TablePointer>> list(std::string_view exclusive_start, std::size_t limit) = 0;
};

}  // namespace dinette::store
