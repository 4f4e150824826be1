#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "tablestore/model/value.h"

/// Rows as requests and replies have them (tablestore/names-limits.md section 3). All texts are
/// views of the bytes that a row was decoded from, which must outlive it.
namespace dinette::tablestore {

inline constexpr std::size_t most_key_columns = 4;  ///< of a table; an index has up to 8

/// Milliseconds since 1970.
using CellVersion = std::int64_t;

struct KeyColumn {
  std::string_view name;
  Value value;

  friend bool operator==(const KeyColumn&, const KeyColumn&) = default;
};

/// A primary key, or a bound of a range, in the order in which it was sent.
using PrimaryKey = boost::container::small_vector<KeyColumn, most_key_columns>;

/// What a cell of an UpdateRow does, other than putting its value. With the numbers of PlainBuffer.
enum class CellOperation : std::uint8_t { delete_all_versions = 1, delete_one_version = 3, increment = 4 };

/// A cell as it was sent: any of these may be missing.
struct CellChange {
  std::string_view name;
  std::optional<Value> value = {};
  std::optional<CellOperation> operation = {};
  std::optional<CellVersion> version = {};

  friend bool operator==(const CellChange&, const CellChange&) = default;
};

/// A row as it was sent: a key, a row to put, changes of a row, or a row to delete.
struct RowMessage {
  PrimaryKey key;
  std::vector<CellChange> cells;
  bool deletes = false;  ///< has the delete marker

  friend bool operator==(const RowMessage&, const RowMessage&) = default;
};

/// One version of an attribute column, as it is stored and returned.
struct Cell {
  std::string_view name;
  CellVersion version = 0;
  Value value;

  friend bool operator==(const Cell&, const Cell&) = default;
};

/// The cells of a row by name (unsigned bytes), the versions of a column newest first, none twice.
using Cells = std::vector<Cell>;

/// A row as replies have it.
struct Row {
  PrimaryKey key;
  Cells cells;

  friend bool operator==(const Row&, const Row&) = default;
};

}  // namespace dinette::tablestore
