#include "cql/data/current_size.h"

#include <algorithm>
#include <optional>

#include "dinette/base/bytes.h"

#include "cql/types/parts.h"

namespace dinette::cql::data {
namespace {

constexpr std::size_t columns_per_id_byte = 62;
constexpr std::size_t current_partition_metadata = 3;
constexpr std::size_t current_row_metadata = 100;
constexpr std::size_t null_size = 1;
/// Of a collection or a user type, and of each part of it.
constexpr std::size_t container_size = 3;
constexpr std::size_t part_size = 1;
constexpr std::size_t part_length_size = 4;

std::size_t id_size(std::size_t columns) {
  return columns == 0 ? 1 : 1 + (columns - 1) / columns_per_id_byte;
}

std::size_t rounded_up(std::size_t number, std::size_t divisor) {
  return (number + divisor - 1) / divisor;
}

/// Two significant digits per byte: zeros at either end do not count.
std::size_t number_size(std::string_view value) {
  const std::optional<Int128> read = read_varint(value);
  if (!read) return value.size();
  Int128 number = *read;
  while (number != 0 && number % 10 == 0) number /= 10;
  std::size_t digits = 1;
  while ((number /= 10) != 0) ++digits;
  return rounded_up(digits, 2) + 1;
}

bool is_collection(const Type& type) {
  return type.kind == Kind::list || type.kind == Kind::set || type.kind == Kind::map;
}

/// Calls `visit` with the type and the bytes of each field; nullopt of one that is null.
template <class Visit>
void for_each_field(const Type& type, std::string_view value, Visit visit) {
  PartReader in(value);
  for (const Type& field : type.arguments) {
    const std::int32_t size = in.read_int().value_or(-1);
    visit(field, size < 0 ? std::nullopt : in.read(static_cast<std::size_t>(size)));
  }
}

/// A field of a user type: what is frozen is as in the binary format, without the count of its elements.
std::size_t field_size(const Type& type, std::optional<std::string_view> value) {
  if (!value) return null_size;
  if (is_collection(type)) return value->size() - std::min(value->size(), part_length_size);
  if (type.kind != Kind::udt) return current_value_size(type, *value);
  std::size_t size = 0;
  for_each_field(type, *value, [&](const Type&, std::optional<std::string_view> one) {
    size += part_length_size + (one ? one->size() : 0);
  });
  return size;
}

/// An element of a collection: there is nothing extra of what is frozen in it.
std::size_t element_size(const Type& type, std::string_view value) {
  return is_collection(type) || type.kind == Kind::udt ? value.size() : current_value_size(type, value);
}

std::size_t collection_size(const Type& type, std::string_view value) {
  PartReader in(value);
  const std::int32_t count = in.read_int().value_or(0);
  std::size_t size = container_size;
  for (std::int32_t i = 0; i < count && !in.at_end(); ++i) {
    size += part_size;
    for (const Type& argument : type.arguments) {
      const auto length = static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0));
      size += element_size(argument, in.read(length).value_or(""));
    }
  }
  return size;
}

std::size_t user_type_size(const Type& type, std::string_view value) {
  std::size_t size = container_size;
  for_each_field(type, value, [&](const Type& field, std::optional<std::string_view> one) {
    size += part_size + id_size(type.arguments.size()) + field_size(field, one);
  });
  return size;
}

/// What timestamps and times to live add to a column, per element and once.
struct Extra {
  std::size_t per_element = 0;
  std::size_t per_column = 0;
};

Extra extra_of(const schema::Column& column, bool timestamps, bool expires) {
  if (!timestamps && !expires) return {};
  const auto choose = [&](Extra both, Extra only_timestamps, Extra only_expiry) {
    if (timestamps && expires) return both;
    return timestamps ? only_timestamps : only_expiry;
  };
  if (column.type.kind == Kind::counter) return choose({0, 51}, {0, 51}, {});
  if (!column.has_parts()) return choose({0, 27}, {0, 18}, {0, 16});
  if (column.type.kind == Kind::list) return choose({39, 19}, {30, 19}, {15, 0});
  if (column.type.kind == Kind::set) return choose({23, 26}, {14, 26}, {12, 7});
  return choose({26, 26}, {17, 26}, {15, 7});
}

/// A cell of a collection or of a user type that is not frozen.
std::size_t part_cell_size(const Type& type, const Cell& cell) {
  if (cell.kind == Cell::Kind::tombstone) return part_size + null_size;
  switch (type.kind) {
    case Kind::list:
      return part_size + element_size(type.arguments[0], cell.value);
    case Kind::set:
      return part_size + element_size(type.arguments[0], cell.key);
    case Kind::map:
      return part_size + element_size(type.arguments[0], cell.key) +
             element_size(type.arguments[1], cell.value);
    default: {
      const std::size_t field = base::load_big_endian<std::uint16_t>(cell.path.data());
      if (field >= type.arguments.size()) return part_size + cell.value.size();
      return part_size + id_size(type.arguments.size()) + field_size(type.arguments[field], cell.value);
    }
  }
}

/// The cells of one column.
std::size_t column_size(const schema::Column& column, std::span<const Cell> cells) {
  if (!column.has_parts()) {
    const Cell& cell = cells.front();
    return cell.kind == Cell::Kind::value ? current_value_size(column.type, cell.value) : null_size;
  }
  std::size_t size = container_size;
  for (const Cell& cell : cells) {
    if (cell.kind != Cell::Kind::all_elements) size += part_cell_size(column.type, cell);
  }
  return size;
}

std::size_t elements_in(std::span<const Cell> cells) {
  const auto is_element = [](const Cell& cell) { return cell.kind != Cell::Kind::all_elements; };
  return static_cast<std::size_t>(std::ranges::count_if(cells, is_element));
}

void add_cells(const schema::Table& table, std::size_t id, const Cells& cells, RowSize& size) {
  for (std::size_t first = 0; first < cells.size();) {
    std::size_t end = first + 1;
    while (end < cells.size() && cells[end].column == cells[first].column) ++end;
    // A column that was dropped may have cells still, which the sizes no longer count.
    if (const schema::Column* const column = table.find_column(cells[first].column)) {
      const auto own = std::span(cells).subspan(first, end - first);
      const Extra extra = extra_of(*column, table.options.client_side_timestamps, table.options.time_to_live);
      size.values += id + column_size(*column, own);
      size.timestamps += extra.per_column + extra.per_element * elements_in(own);
    }
    first = end;
  }
}

}  // namespace

std::size_t current_value_size(const Type& type, std::string_view value) {
  switch (type.kind) {
    case Kind::boolean:
      return 1;
    case Kind::tinyint:
    case Kind::smallint:
    case Kind::int_:
    case Kind::bigint:
    case Kind::varint:
      return number_size(value);
    case Kind::list:
    case Kind::set:
    case Kind::map:
      return collection_size(type, value);
    case Kind::udt:
      return user_type_size(type, value);
    default:
      return value.size();
  }
}

RowSize current_row_size(const schema::Table& table, std::span<const std::string_view> partition,
                         const Row& row) {
  const std::size_t id = id_size(table.columns.size());
  RowSize size{.row = current_row_metadata, .row_is_metered = false};
  for (std::size_t i = 0; i < partition.size(); ++i) {
    const std::size_t value = current_value_size(table.columns[i].type, partition[i]);
    size.partition_key += 2 * value + id + current_partition_metadata;
  }
  for (std::size_t i = 0; i < row.clustering.size(); ++i) {
    const schema::Column& column = table.columns[partition.size() + i];
    const std::size_t value = current_value_size(column.type, row.clustering[i]);
    size.clustering += 2 * value + id + rounded_up(value, 5);
  }
  add_cells(table, id, row.cells, size);
  return size;
}

}  // namespace dinette::cql::data
