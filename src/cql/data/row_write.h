#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/function_ref.h"
#include "dinette/cql/row_size.h"
#include "dinette/store/store.h"

#include "cql/data/merge.h"
#include "cql/error.h"
#include "cql/schema/schema.h"

namespace dinette::cql::data {

/// A change of a column of a row.
struct CellChange {
  enum class Kind : std::uint8_t {
    put,          ///< a value, also of an element or a field
    erase,        ///< leaves a tombstone
    erase_all,    ///< all elements: before they are put again, or for good
    append,       ///< to a list
    prepend,      ///< to a list: `values` in their order
    put_at,       ///< the element of a list at `number`
    erase_at,     ///< the same
    erase_equal,  ///< the elements of a list that equal one of `values`
    add,          ///< `number` to a counter
  };

  Kind kind = Kind::put;
  const schema::Column* column = nullptr;
  std::string path{};  ///< as Cell has it
  std::string key{};
  std::string value{};
  std::vector<std::string> values{};
  std::int64_t number = 0;
  bool replaces = false;  ///< of erase_all: new elements follow, which have the same timestamp

  /// Returns true if it depends on what is there.
  bool reads() const { return kind == Kind::put_at || kind == Kind::erase_at || kind == Kind::erase_equal; }
};

/// What one statement does to one row, and to the static cells of its partition.
struct RowWrite {
  const store::Table* stored = nullptr;
  const schema::Table* table = nullptr;
  std::vector<std::string> partition{};   ///< values of the key
  std::string prefix{};                   ///< partition_prefix() of them
  std::vector<std::string> clustering{};  ///< values
  std::string key_part{};                 ///< clustering_part() of them
  bool has_row = false;                   ///< or only static cells
  bool marks = false;                     ///< INSERT
  bool deletes = false;                   ///< the row, or without one the partition, before the changes
  std::vector<CellChange> changes{};
  std::vector<CellChange> static_changes{};
  Stamp stamp{};
  Rules rules{};
  base::TimePoint time{};  ///< of the request, for the stream of the table
  bool tests = false;      ///< has conditions
  SizeFormula sizes = SizeFormula::earlier;
};

/// What a write finds, as far as it can be seen.
struct SeenRow {
  bool exists = false;
  Row row{};
  Cells statics{};
};

/// Returns true if the writes are to be applied. One SeenRow per write; the last run counts.
using Test = base::FunctionRef<Answer<bool>(std::span<const SeenRow> seen)>;

enum class Written : std::uint8_t { applied, refused, table_changed };

/// What a write made of a record.
struct WrittenRecord {
  bool is_row = false;      ///< or the static cells of a partition
  std::size_t number = 0;   ///< of the first write to it
  std::size_t stored = 0;   ///< its size now; 0: it does not exist
  std::size_t metered = 0;  ///< the bytes that units of capacity count: of the former row, if it was deleted
  bool beside_other = false;  ///< a statement has written it together with one of the other kind
};

/// Applies writes in their order, all of them or none, unless `test` refuses. It is asked only if one of them
/// has conditions. Fails if a row becomes too large.
/// `records`: one per record that was written, or, if the writes were refused, that was tested.
Answer<Written> write_rows(store::Store& store, std::span<const RowWrite> writes, Test test,
                           std::vector<WrittenRecord>& records);

/// A deletion of several rows of a partition.
struct RangeDeletion {
  const store::Table* stored = nullptr;
  const schema::Table* table = nullptr;
  std::vector<std::string> partition{};
  std::string prefix{};
  bool all = false;         ///< the whole partition, with its static cells
  store::KeyRange range{};  ///< else of the part of keys that follows rows_prefix()
  Deletion deletion{};
  Rules rules{};
  base::TimePoint time{};     ///< of the request, for the stream of the table
  std::size_t most_rows = 0;  ///< more are refused; 0: any number
  SizeFormula sizes = SizeFormula::earlier;
};

/// Returns applied or table_changed. Rows become invisible one after the other. `records`: those that were
/// deleted.
Answer<Written> delete_rows(store::Store& store, const RangeDeletion& deletion,
                            std::vector<WrittenRecord>& records);

/// Fails as delete_rows() does if the range has more rows than may be deleted.
Answer<void> check_row_count(store::Store& store, const RangeDeletion& deletion);

/// Erases all that a table has, without tombstones.
Answer<Written> delete_all(store::Store& store, const store::Table& table);

}  // namespace dinette::cql::data
