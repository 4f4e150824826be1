#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/dynamodb/item_files/item_source.h"

namespace dinette::dynamodb::item_files {

class CsvRow;
class UnpackedBytes;

/// What a cell is, in DynamoDB JSON.
enum class CellType {
  text,
  number,
  binary,   ///< in Base64
  boolean,  ///< true or false
  inferred  ///< a number or a boolean if JSON has such a one, else text
};

/// How cells are read that the service's import does not have: by `dinette import`.
struct CsvCells {
  std::map<std::string, CellType, std::less<>> types = {};  ///< of columns that are no keys, which must exist
  CellType others = CellType::text;                         ///< of columns without a type
};

/// The options for reading a CSV file.
struct CsvOptions {
  char delimiter = ',';
  std::vector<std::string> header = {};  ///< the names of the columns; empty: the first line of the file
  /// The types of the attributes that are keys of the table or its indexes: 'S', 'N' or 'B', which is in
  /// Base64. All others are strings.
  std::map<std::string, char, std::less<>> types = {};
  std::vector<std::string> needed = {};  ///< required columns: the keys of the table
  /// If set, an empty cell is an empty text, unless its column is a key of an index or has another type; an
  /// empty key of the table costs the row, as does a cell that is not of its column's type.
  std::optional<CsvCells> cells = {};
};

/// Returns the delimiter of a file at its beginning: of those that the service knows, the one by which its
/// first line has the most columns, and among them all that are needed. A comma if there is none.
ReadResult<char> csv_delimiter(objects::ObjectReader& file, Packing packing,
                               const std::vector<std::string>& needed);

/// Reads the items of a data file in CSV (RFC 4180): one row per item, one column per attribute. A cell may
/// be quoted with `"`; an empty cell gives no attribute (but see CsvOptions::cells). Lines end with LF or
/// CRLF. An invalid header and an unclosed quotation mark end the file; after other errors only the row is
/// lost.
class CsvReader final : public ItemSource {
 public:
  /// `file` must outlive the reader. Reading fails once `stop` is requested, even within an item.
  CsvReader(objects::ObjectReader& file, Packing packing, CsvOptions options, std::stop_token stop = {});
  ~CsvReader() override;

  ReadResult<std::optional<std::string_view>> next() override;
  std::uint64_t line() const override { return row_line_; }
  std::uint64_t bytes_read() const override;

 private:
  struct Column {
    std::string name;
    std::string member;  ///< `"pk":`
    CellType type = CellType::text;
    bool table_key = false;
    bool omit_empty = false;
  };

  Column column_of(const std::string& name) const;
  ReadResult<bool> take_row();
  ReadResult<bool> take_row_with_text();
  ReadResult<bool> take_header();
  ReadResult<void> use_header(const std::vector<std::string>& names);
  ReadResult<void> check_typed_columns(const std::vector<std::string>& sorted) const;
  ReadResult<std::optional<std::string_view>> item();
  ReadResult<void> append_cell(const Column& column, std::string_view cell);

  const CsvOptions options_;
  const std::unique_ptr<UnpackedBytes> bytes_;
  const std::unique_ptr<CsvRow> row_;
  std::vector<Column> columns_;
  std::uint64_t line_ = 1;  ///< of the next byte
  std::uint64_t row_line_ = 1;
  std::string item_;
};

}  // namespace dinette::dynamodb::item_files
