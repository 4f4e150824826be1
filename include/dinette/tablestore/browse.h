#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/tenancy/world.h"

/// Tables and rows for another front end of the same process, as plain values. The world must have
/// world_face() (service.h). Thread-safe. Calls may block.
namespace dinette::tablestore {

/// An error of the service, as its clients get it.
struct BrowseRefusal {
  int status = 400;    ///< of HTTP
  std::string code{};  ///< "OTSObjectNotExist"
  std::string message{};
};

template <class T>
using Browsed = base::Result<T, BrowseRefusal>;

enum class ColumnType : std::uint8_t { integer, real, boolean, string, binary };

struct ListedColumn {
  std::string name{};
  ColumnType type = ColumnType::integer;
  bool auto_increment = false;  ///< of a key
};

struct ListedIndex {
  std::string name{};
  std::vector<ListedColumn> key{};  ///< all columns by which its entries are ordered
  std::vector<std::string> attributes{};
  bool is_local = false;
};

struct ListedTable {
  std::string name{};
  std::vector<ListedColumn> key{};  ///< the first one is the partition key
  std::vector<ListedColumn> defined_columns{};
  std::int32_t time_to_live = -1;  ///< seconds; -1: cells never expire
  std::int32_t max_versions = 1;
  std::int64_t max_version_offset = 0;  ///< seconds
  bool has_stream = false;
  std::vector<ListedIndex> indexes{};  ///< secondary ones
  std::vector<std::string> search_indexes{};
};

struct ListedInstance {
  std::string name{};
  std::vector<ListedTable> tables{};  ///< by name; at least one
};

/// Returns the instances of a world that have tables, by name.
Browsed<std::vector<ListedInstance>> list_instances(tenancy::World& world);

/// Which rows of a table or a secondary index are wanted: a GetRange.
struct RowQuestion {
  std::string instance{};
  std::string table{};
  /// Values of the first columns of the key: integers in decimal digits, binary values in base64. Rows whose
  /// keys begin with these are the first and the last ones; an `end` that is a whole key is excluded.
  std::vector<std::string> begin{};
  std::vector<std::string> end{};
  bool backward = false;                       ///< `begin` is then the greater one
  std::optional<std::int32_t> max_versions{};  ///< newest versions per column; nothing: all
  std::optional<std::pair<std::int64_t, std::int64_t>> time_range{};  ///< of versions; its end is excluded
  std::int32_t limit = 1;                                             ///< of rows
  std::string next{};  ///< RowAnswer::next, in the place of `begin`; empty: the first page
};

struct BinaryValue {
  std::string bytes{};
};
/// In the order of ColumnType.
using BrowsedValue = std::variant<std::int64_t, double, bool, std::string, BinaryValue>;

struct BrowsedKeyColumn {
  std::string name{};
  BrowsedValue value{};
};

/// One version of an attribute column.
struct BrowsedCell {
  std::string name{};
  std::int64_t version = 0;  ///< milliseconds since 1970
  BrowsedValue value{};
};

struct BrowsedRow {
  std::vector<BrowsedKeyColumn> key{};
  std::vector<BrowsedCell> cells{};  ///< by name, the newest version of each first
};

struct RowAnswer {
  std::vector<BrowsedRow> rows{};
  std::optional<std::string> next{};  ///< bytes: where the next page begins, if there may be one
};

/// Reads at most RowQuestion::limit rows, and at most 4 MB of them, by the operation GetRange.
Browsed<RowAnswer> read_rows(tenancy::World& world, const RowQuestion& question);

}  // namespace dinette::tablestore
