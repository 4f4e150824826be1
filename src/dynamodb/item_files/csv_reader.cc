#include "dinette/dynamodb/item_files/csv_reader.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/json_writer.h"

#include "dynamodb/item_files/csv_row.h"
#include "dynamodb/item_files/number_text.h"
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

bool is_boolean(std::string_view cell) {
  return cell == "true" || cell == "false";
}

/// Returns what a cell looks like. Numbers that would lose digits are text.
CellType inferred_type(std::string_view cell) {
  constexpr std::size_t most_digits = 38;
  if (is_boolean(cell)) return CellType::boolean;
  return is_json_number(cell) && cell.size() <= most_digits ? CellType::number : CellType::text;
}

/// Returns the cells of the first line that is not empty; none if there is text after a quoted cell, which
/// another delimiter would end.
std::vector<std::string> first_cells(std::string_view text, char delimiter) {
  CsvRow row(delimiter);
  bool whole = false;
  for (const char c : text) {
    whole = row.add(c);
    if (whole && !row.white()) break;
    if (whole) row.clear();
  }
  if (!whole) row.end();
  std::vector<std::string> cells;
  if (row.text_after_quotes()) return cells;
  for (std::size_t i = 0; i < row.cells(); ++i) cells.emplace_back(row.cell(i));
  return cells;
}

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

ReadResult<char> csv_delimiter(objects::ObjectReader& file, Packing packing,
                               const std::vector<std::string>& needed) {
  constexpr std::size_t longest_header = 32 << 10;
  const auto bytes = std::make_unique<UnpackedBytes>(file, packing, std::stop_token());
  DINETTE_TRY(std::string_view text, bytes->rest(longest_header));
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  char best = ',';
  std::size_t most = 1;
  for (const char delimiter : std::string_view(",\t;|: ")) {
    const auto cells = first_cells(text, delimiter);
    const bool has_all = std::ranges::all_of(
        needed, [&](const std::string& name) { return std::ranges::find(cells, name) != cells.end(); });
    if (!has_all || cells.size() <= most) continue;
    best = delimiter;
    most = cells.size();
  }
  return best;
}

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
  return item();
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
  DINETTE_CHECK(check_typed_columns(sorted));
  for (const std::string& name : names) columns_.push_back(column_of(name));
  return {};
}

ReadResult<void> CsvReader::check_typed_columns(const std::vector<std::string>& sorted) const {
  if (!options_.cells) return {};
  for (const auto& [name, type] : options_.cells->types) {
    if (!std::ranges::binary_search(sorted, name))
      return Failure{ReadError("has a header without the column '" + name + "', for which a type is given")};
  }
  return {};
}

CsvReader::Column CsvReader::column_of(const std::string& name) const {
  Column column{name, {}, CellType::text, false, true};
  aws::append_json_string(column.member, name);
  column.member += ':';
  if (const auto key = options_.types.find(name); key != options_.types.end()) {
    if (key->second == 'N') column.type = CellType::number;
    if (key->second == 'B') column.type = CellType::binary;
  } else if (options_.cells) {
    const auto chosen = options_.cells->types.find(name);
    column.type = chosen == options_.cells->types.end() ? options_.cells->others : chosen->second;
    column.omit_empty = column.type != CellType::text && column.type != CellType::inferred;
  }
  column.table_key = std::ranges::find(options_.needed, name) != options_.needed.end();
  return column;
}

ReadResult<std::optional<std::string_view>> CsvReader::item() {
  item_ = "{";
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    const std::string_view cell = row_->cell(i);
    if (cell.empty() && options_.cells && column.table_key)
      return costs_row("has an empty cell in the column '" + column.name + "', which is a key of the table");
    if (cell.empty() && column.omit_empty) continue;
    if (item_.size() > 1) item_ += ',';
    item_ += column.member;
    DINETTE_CHECK(append_cell(column, cell));
  }
  item_ += '}';
  return std::optional(std::string_view(item_));
}

ReadResult<void> CsvReader::append_cell(const Column& column, std::string_view cell) {
  const CellType type = column.type == CellType::inferred ? inferred_type(cell) : column.type;
  const auto wrong = [&](std::string_view expected) {
    return costs_row("has '" + std::string(cell) + "' in the column '" + column.name + "'; expected is " +
                     std::string(expected));
  };
  switch (type) {
    case CellType::boolean:
      if (!is_boolean(cell)) return wrong("true or false");
      item_.append(R"({"BOOL":)").append(cell).append("}");
      return {};
    case CellType::number:
      if (options_.cells && !is_number_text(cell)) return wrong("a number such as 1.5");
      item_ += R"({"N":)";
      break;
    case CellType::binary:
      item_ += R"({"B":)";
      break;
    default:
      item_ += R"({"S":)";
  }
  aws::append_json_string(item_, cell);
  item_ += '}';
  return {};
}

}  // namespace dinette::dynamodb::item_files
