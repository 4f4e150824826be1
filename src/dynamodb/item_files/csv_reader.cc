#include "dinette/dynamodb/item_files/csv_reader.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/json_writer.h"

#include "dynamodb/item_files/csv_row.h"
#include "dynamodb/item_files/unpacked_bytes.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

/// Spreadsheets write it at the beginning of UTF-8.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

Failure<ReadError> costs_row(std::string message) {
  return {ReadError(std::move(message), false)};
}

/// Cells are checked one by one: the halves of a character in two of them make a whole one only together.
bool is_utf8(const CsvRow& row) {
  for (std::size_t i = 0; i < row.cells(); ++i) {
    if (!aws::is_utf8(row.cell(i))) return false;
  }
  return true;
}

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

CsvReader::CsvReader(objects::ObjectReader& file, Packing packing, CsvOptions options, std::stop_token stop)
    : options_(std::move(options)),
      bytes_(std::make_unique<UnpackedBytes>(file, packing, std::move(stop))),
      row_(std::make_unique<CsvRow>(options_.delimiter)) {}

CsvReader::~CsvReader() = default;

std::uint64_t CsvReader::bytes_read() const {
  return bytes_->count();
}

ReadResult<std::optional<std::string_view>> CsvReader::next() {
  if (columns_.empty()) {
    DINETTE_TRY(const bool found, take_header());
    if (!found) return std::optional<std::string_view>();
  }
  DINETTE_TRY(const bool taken, take_row_with_text());
  if (!taken) return std::optional<std::string_view>();
  if (row_->text_after_quotes()) return costs_row("has text after a quoted cell");
  if (row_->cells() != columns_.size())
    return costs_row("has " + counted(row_->cells(), "cell") + ", but the header has " +
                     counted(columns_.size(), "column"));
  if (!is_utf8(*row_)) return costs_row("is not UTF-8");
  return std::optional(item());
}

/// Moves on to the next row. Returns false if there is none.
ReadResult<bool> CsvReader::take_row() {
  row_->clear();
  row_line_ = line_;
  for (;;) {
    DINETTE_TRY(const std::string_view rest, bytes_->rest());
    if (rest.empty()) {
      if (row_->in_quotes()) return Failure{ReadError("has a quoted cell that the file does not end")};
      row_->end();
      return row_->bytes() > 0;
    }
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == '\n') ++line_;
      if (!row_->add(rest[i])) continue;
      bytes_->skip(i + 1);
      return true;
    }
    bytes_->skip(rest.size());
    if (row_->bytes() > longest_object)
      return Failure{ReadError("begins a row of more than 16 MB; is a quotation mark missing?")};
  }
}

ReadResult<bool> CsvReader::take_row_with_text() {
  for (;;) {
    DINETTE_TRY(const bool taken, take_row());
    if (!taken || !row_->white()) return taken;
  }
}

/// Returns false if the file ends before it.
ReadResult<bool> CsvReader::take_header() {
  DINETTE_TRY(const std::string_view beginning, bytes_->rest(byte_order_mark.size()));
  if (beginning.starts_with(byte_order_mark)) bytes_->skip(byte_order_mark.size());
  if (!options_.header.empty()) {
    DINETTE_CHECK(use_header(options_.header));
    return true;
  }
  DINETTE_TRY(const bool taken, take_row_with_text());
  if (!taken) return false;
  if (row_->text_after_quotes()) return Failure{ReadError("has text after a quoted cell of the header")};
  if (!is_utf8(*row_)) return Failure{ReadError("has a header that is not UTF-8")};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < row_->cells(); ++i) names.emplace_back(row_->cell(i));
  DINETTE_CHECK(use_header(names));
  return true;
}

ReadResult<void> CsvReader::use_header(const std::vector<std::string>& names) {
  auto sorted = names;
  std::ranges::sort(sorted);
  if (sorted.front().empty()) return Failure{ReadError("has a header with a column without a name")};
  if (const auto twin = std::ranges::adjacent_find(sorted); twin != sorted.end())
    return Failure{ReadError("has a header that names the column '" + *twin + "' more than once")};
  for (const std::string& name : options_.needed) {
    if (!std::ranges::binary_search(sorted, name))
      return Failure{ReadError("has a header without the key '" + name + "'")};
  }
  for (const std::string& name : names) {
    const auto type = options_.types.find(name);
    std::string& column = columns_.emplace_back();
    aws::append_json_string(column, name);
    column.append(":{\"").append(1, type == options_.types.end() ? 'S' : type->second).append("\":");
  }
  return {};
}

std::string_view CsvReader::item() {
  item_ = "{";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string_view cell = row_->cell(i);
    if (cell.empty()) continue;
    if (item_.size() > 1) item_ += ',';
    item_ += columns_[i];
    aws::append_json_string(item_, cell);
    item_ += '}';
  }
  item_ += '}';
  return item_;
}

}  // namespace dinette::dynamodb::item_files
