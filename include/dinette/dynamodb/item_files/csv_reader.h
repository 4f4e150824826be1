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

/// The options for reading a CSV file.
struct CsvOptions {
  char delimiter = ',';
  std::vector<std::string> header = {};  ///< the names of the columns; empty: the first line of the file
  /// The types of the attributes that are keys of the table or its indexes: 'S', 'N' or 'B', which is in
  /// Base64. All others are strings.
  std::map<std::string, char, std::less<>> types = {};
  std::vector<std::string> needed = {};  ///< required columns: the keys of the table
};

/// Reads the items of a data file in CSV (RFC 4180): one row per item, one column per attribute. A cell may
/// be quoted with `"`; an empty cell gives no attribute. Lines end with LF or CRLF. An invalid header and an
/// unclosed quotation mark end the file; after other errors only the row is lost.
class CsvReader final : public ItemSource {
 public:
  /// `file` must outlive the reader. Reading fails once `stop` is requested, even within an item.
  CsvReader(objects::ObjectReader& file, Packing packing, CsvOptions options, std::stop_token stop = {});
  ~CsvReader() override;

  ReadResult<std::optional<std::string_view>> next() override;
  std::uint64_t line() const override { return row_line_; }
  std::uint64_t bytes_read() const override;

 private:
  ReadResult<bool> take_row();
  ReadResult<bool> take_row_with_text();
  ReadResult<bool> take_header();
  ReadResult<void> use_header(const std::vector<std::string>& names);
  std::string_view item();

  const CsvOptions options_;
  const std::unique_ptr<UnpackedBytes> bytes_;
  const std::unique_ptr<CsvRow> row_;
  std::vector<std::string> columns_;  ///< the text before the value of each: `"pk":{"S":`
  std::uint64_t line_ = 1;            ///< of the next byte
  std::uint64_t row_line_ = 1;
  std::string item_;
};

}  // namespace dinette::dynamodb::item_files
