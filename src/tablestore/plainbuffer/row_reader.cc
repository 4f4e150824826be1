#include "tablestore/plainbuffer/row_reader.h"

#include <optional>
#include <utility>

#include "dinette/base/utf8.h"

#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/crc8.h"
#include "tablestore/plainbuffer/tags.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::plainbuffer {
namespace {

/// The parts of a cell as they are laid out; any may be missing.
struct CellParts {
  std::optional<std::string_view> name = {};
  std::optional<std::string_view> variant = {};  ///< type and payload
  std::optional<std::uint8_t> operation = {};
  std::optional<std::string_view> version = {};  ///< its eight bytes
};

bool take(ByteReader& in, Tag tag) {
  return in.take_byte(static_cast<std::uint8_t>(tag));
}

/// Takes what `read` reads if the tag is next.
template <class Part, class Read>
Answer<void> take_part(ByteReader& in, Tag tag, std::optional<Part>& part, Read&& read) {
  if (!take(in, tag)) return {};
  part = read();
  if (!part) return refuse::invalid_data_format();
  return {};
}

/// The operation is before the version, but is summed up after it.
std::uint8_t checksum_of(const CellParts& parts) {
  Crc8 sum;
  sum.add(parts.name.value_or(""));
  sum.add(parts.variant.value_or(""));
  sum.add(parts.version.value_or(""));
  if (parts.operation) sum.add(*parts.operation);
  return sum.value();
}

/// Takes a checksum, which must be that of the bytes before it.
Answer<void> take_checksum(ByteReader& in, std::uint8_t computed) {
  const auto given = in.number<std::uint8_t>();
  if (!given) return refuse::invalid_data_format();
  if (*given != computed) return refuse::mismatched_checksum(*given, computed);
  return {};
}

bool begins_part(const ByteReader& in) {
  const auto next = in.at_end() ? 0 : static_cast<std::uint8_t>(in.rest().front());
  return next >= static_cast<std::uint8_t>(Tag::name) && next <= static_cast<std::uint8_t>(Tag::version);
}

/// Reads a cell after its tag, and adds its checksum to that of the row.
Answer<CellParts> take_cell(ByteReader& in, Crc8& row_sum) {
  CellParts parts;
  DINETTE_CHECK(take_part(in, Tag::name, parts.name, [&] { return in.text(); }));
  DINETTE_CHECK(take_part(in, Tag::value, parts.variant, [&] { return in.text(); }));
  DINETTE_CHECK(take_part(in, Tag::operation, parts.operation, [&] { return in.number<std::uint8_t>(); }));
  DINETTE_CHECK(take_part(in, Tag::version, parts.version, [&] { return in.take(sizeof(CellVersion)); }));
  if (begins_part(in)) return refuse::more_data_in_cell();
  if (!take(in, Tag::cell_checksum)) return refuse::cell_without_checksum();
  const std::uint8_t sum = checksum_of(parts);
  DINETTE_CHECK(take_checksum(in, sum));
  row_sum.add(sum);
  return parts;
}

Answer<Value> value_of(const CellParts& parts) {
  DINETTE_TRY(const Value value, decode_variant(*parts.variant));
  if (value.type() == ValueType::string && !base::is_utf8(value.bytes()))
    return refuse::not_utf8(*parts.name);
  return value;
}

Answer<std::string_view> checked_name(std::string_view name) {
  if (!base::is_utf8(name)) return refuse::invalid_column_name(name);
  return name;
}

Answer<KeyColumn> key_column_of(const CellParts& parts) {
  if (!parts.name) return refuse::key_column_without_name();
  DINETTE_TRY(const auto name, checked_name(*parts.name));
  if (!parts.variant) return refuse::key_column_without_value(name);
  if (parts.operation) return refuse::key_column_with_operation(name);
  if (parts.version) return refuse::key_column_with_timestamp(name);
  DINETTE_TRY(const Value value, value_of(parts));
  if (value.type() == ValueType::null) return refuse::null_key_value(name);
  return KeyColumn{name, value};
}

Answer<CellOperation> operation_of(std::uint8_t number) {
  switch (static_cast<CellOperation>(number)) {
    case CellOperation::delete_all_versions:
    case CellOperation::delete_one_version:
    case CellOperation::increment:
      return static_cast<CellOperation>(number);
  }
  return refuse::invalid_cell_operation(number);
}

Answer<CellChange> cell_of(const CellParts& parts) {
  if (!parts.name) return refuse::cell_without_name();
  DINETTE_TRY(const auto name, checked_name(*parts.name));
  if (!parts.variant && !parts.operation && !parts.version) return refuse::cell_without_elements(name);
  CellChange cell{.name = name};
  if (parts.variant) {
    DINETTE_TRY(cell.value, value_of(parts));
  }
  if (parts.operation) {
    DINETTE_TRY(cell.operation, operation_of(*parts.operation));
  }
  if (parts.version) cell.version = ByteReader(*parts.version).number<CellVersion>();
  return cell;
}

Answer<void> take_header(ByteReader& in) {
  const auto given = in.number<std::uint32_t>();
  if (!given) return refuse::invalid_data_format();
  if (*given != header) return refuse::mismatched_header(*given, header);
  return {};
}

Answer<void> take_key(ByteReader& in, Crc8& row_sum, PrimaryKey& key) {
  if (in.at_end()) return refuse::empty_key();
  if (!take(in, Tag::key))
    return refuse::mismatched_tag(static_cast<std::uint8_t>(in.rest().front()),
                                  static_cast<std::uint8_t>(Tag::key));
  while (take(in, Tag::cell)) {
    DINETTE_TRY(const auto parts, take_cell(in, row_sum));
    DINETTE_TRY(auto column, key_column_of(parts));
    key.push_back(std::move(column));
  }
  if (key.empty()) return refuse::empty_key();
  return {};
}

Answer<void> take_attributes(ByteReader& in, Crc8& row_sum, std::vector<CellChange>& cells) {
  if (!take(in, Tag::attributes)) return {};
  while (take(in, Tag::cell)) {
    DINETTE_TRY(const auto parts, take_cell(in, row_sum));
    DINETTE_TRY(auto cell, cell_of(parts));
    cells.push_back(std::move(cell));
  }
  if (cells.empty()) return refuse::no_cells_after_tag();
  return {};
}

}  // namespace

Answer<RowMessage> RowReader::read() {
  if (is_empty_) return refuse::empty_key();
  if (!std::exchange(has_begun_, true)) DINETTE_CHECK(take_header(in_));
  RowMessage row;
  Crc8 sum;
  DINETTE_CHECK(take_key(in_, sum, row.key));
  DINETTE_CHECK(take_attributes(in_, sum, row.cells));
  row.deletes = take(in_, Tag::delete_marker);
  sum.add(static_cast<std::uint8_t>(row.deletes));
  if (!take(in_, Tag::row_checksum)) return refuse::row_without_checksum();
  DINETTE_CHECK(take_checksum(in_, sum.value()));
  return row;
}

Answer<RowMessage> decode_row(std::string_view bytes) {
  return RowReader(bytes).read();
}

}  // namespace dinette::tablestore::plainbuffer
