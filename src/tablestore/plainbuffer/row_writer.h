#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tablestore/model/row.h"
#include "tablestore/plainbuffer/crc8.h"

namespace dinette::tablestore::plainbuffer {

/// Most bytes of a cell in addition to its name and value, and of a row in addition to its cells.
inline constexpr std::size_t most_overhead = 32;

/// Appends rows to a text, with the header before the first: no row is no byte. A row is written whole by
/// add(), or piece by piece:
///
///     writer.begin(key);
///     for (...) writer.cell(name, value, version);
///     writer.end();
class RowWriter {
 public:
  /// `out` is empty, or has rows already. It must outlive the writer.
  explicit RowWriter(std::string& out) : out_(out) {}

  void add(const Row& row);
  void add(const RowMessage& row);

  void begin(const PrimaryKey& key);
  void cell(std::string_view name, const Value& value, CellVersion version);
  void cell(const CellChange& change);
  void end(bool deletes = false);

 private:
  void write_cell(const CellChange& change);

  std::string& out_;
  Crc8 sum_;                     ///< of the row
  bool has_attributes_ = false;  ///< of the row
};

/// Returns the bytes of one row without attributes.
std::string encode_key(const PrimaryKey& key);

}  // namespace dinette::tablestore::plainbuffer
