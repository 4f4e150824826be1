#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/kv/engine.h"

namespace dinette::store {

/// What a face makes of a table's description. Immutable: threads share it.
struct Schema {
  virtual ~Schema() = default;

  /// The front of a row's key that names its partition, in tables whose partitions' bytes are counted (see
  /// RowChange::partition_bytes); empty in all others.
  virtual std::string_view counted_partition([[maybe_unused]] std::string_view row_key) const { return {}; }
};

/// Null when the bytes do not read as a description.
using SchemaDecoder = std::shared_ptr<const Schema> (*)(std::string_view description);

/// Names an index within its table; the face chooses. 0 is the table itself.
using IndexId = std::uint32_t;

/// Never used twice, not even by another face over the same engine.
using TableId = std::uint64_t;

/// One version of a table. Immutable: a change of the table makes another one, and writes through this one
/// are then answered with WriteOutcome::table_changed.
struct Table {
  TableId id = 0;
  std::uint64_t version = 0;  ///< 1 for a new table, one more with each update
  std::string name_space;     ///< as the face calls it: "", or account and region, or an instance
  std::string name;
  std::string description;  ///< the face's bytes
  std::shared_ptr<const Schema> schema;

  /// The schema as the face's own type, which is the one that its decoder makes.
  template <class FaceSchema>
  const FaceSchema& schema_as() const {
    return static_cast<const FaceSchema&>(*schema);
  }
};

using TablePointer = std::shared_ptr<const Table>;

/// What an update makes of a table.
struct TableUpdate {
  TableUpdate(std::string new_description, std::vector<IndexId> indexes = {})  // NOLINT: often it is no more
      : description(std::move(new_description)), dropped_indexes(std::move(indexes)) {}

  std::string description;
  std::vector<IndexId> dropped_indexes;  ///< their entries and counters go with the old description
};

/// The tables of one face: kept in the engine, cached decoded. Every member may be called from several
/// threads at once.
///
/// Over a shared engine (kv::Capabilities::shared) each sees what the catalogs of other servers have changed
/// before it was called; open() then asks the engine each time, in one read, whether anything has changed.
class Catalog {
 public:
  virtual ~Catalog() = default;

  /// The table of that name, null when there is none. A cached table costs one look-up and no allocation.
  virtual kv::Result<TablePointer> open(std::string_view name_space, std::string_view name) = 0;

  /// Null when the name is taken. ErrorKind::corrupt when the face's decoder refuses `description`; nothing
  /// is kept then.
  virtual kv::Result<TablePointer> create(std::string_view name_space, std::string_view name,
                                          std::string_view description) = 0;

  /// The new description, nullopt to leave the table as it is (the face keeps the reason in what it
  /// captured). May run more than once and must depend on nothing but its argument.
  using DecideUpdate = base::FunctionRef<std::optional<TableUpdate>(const Table& current)>;
  /// The table as it is afterwards; null when it is gone, and a younger table of the same name is left alone.
  /// Any version of the table will do. Once this has returned no write that was decided by an earlier version
  /// can commit any more.
  virtual kv::Result<TablePointer> update(const Table& table, DecideUpdate decide) = 0;

  /// Whether the table is to go. As DecideUpdate.
  using DecideDrop = base::FunctionRef<bool(const Table& current)>;
  /// Removes the table with its rows and everything derived from them, at once and however many there are.
  /// False when it stays or is gone already; a younger table of the same name is left alone. Any version of
  /// the table will do.
  virtual kv::Result<bool> drop(const Table& table, DecideDrop decide) = 0;
  kv::Result<bool> drop(const Table& table) {
    return drop(table, [](const Table&) { return true; });
  }

  /// Up to `limit` tables of a name space by the bytes of their names, those after `exclusive_start`, which
  /// need not exist ("" for all).
  virtual kv::Result<std::vector<TablePointer>> list(std::string_view name_space,
                                                     std::string_view exclusive_start, std::size_t limit) = 0;
};

}  // namespace dinette::store
