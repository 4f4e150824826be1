#include "tablestore/rows/stored_cells.h"

#include <bit>
#include <cstring>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/store/key_codec.h"

namespace dinette::tablestore {
namespace {

// Kept on disk: never renumber.
constexpr char packed_format = 1;
constexpr char wide_format = 2;
constexpr char entry_format = 3;
constexpr char cells_of_row = 1;  // in keys, after that of the row

constexpr std::size_t version_size = sizeof(std::uint64_t);
constexpr std::size_t number_size = sizeof(std::uint64_t);

std::size_t size_of_length(std::size_t length) {
  std::size_t size = 1;
  for (; length >= 0x80; length >>= 7) ++size;
  return size;
}

std::size_t packed_value_size(const Value& value) {
  if (value.is_number()) return 1 + number_size;
  if (value.type() == ValueType::boolean) return 2;
  return 1 + size_of_length(value.bytes().size()) + value.bytes().size();
}

/// Writes to memory that is known to suffice.
class CellWriter {
 public:
  explicit CellWriter(char* at) : at_(at) {}

  void byte(char value) { *at_++ = value; }
  void number(std::uint64_t value) {
    base::store_big_endian(at_, value);
    at_ += sizeof value;
  }
  void bytes(std::string_view value) {
    if (!value.empty()) std::memcpy(at_, value.data(), value.size());
    at_ += value.size();
  }
  void text(std::string_view value) {
    std::size_t length = value.size();
    for (; length >= 0x80; length >>= 7) byte(static_cast<char>(length | 0x80));
    byte(static_cast<char>(length));
    bytes(value);
  }
  /// Writes a value without the length of its bytes.
  void fixed(const Value& value) {
    if (value.type() == ValueType::real)
      number(std::bit_cast<std::uint64_t>(value.as_real()));
    else if (value.type() == ValueType::integer)
      number(static_cast<std::uint64_t>(value.as_integer()));
    else
      byte(value.as_boolean() ? 1 : 0);
  }
  void value(const Value& value) {
    byte(static_cast<char>(value.type()));
    value.has_bytes() ? text(value.bytes()) : fixed(value);
  }
  /// Writes cells in their order. A column is named once.
  void cells(const Cells& cells) {
    const std::string_view* last = nullptr;
    for (const Cell& cell : cells) {
      text(last != nullptr && *last == cell.name ? std::string_view() : cell.name);
      last = &cell.name;
      number(static_cast<std::uint64_t>(cell.version));
      value(cell.value);
    }
  }

 private:
  char* at_;
};

/// Reads what CellWriter has written.
class CellReader {
 public:
  explicit CellReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  bool take(std::size_t size, std::string_view& out) {
    if (rest_.size() < size) return false;
    out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool number(std::uint64_t& out) {
    std::string_view bytes;
    if (!take(sizeof out, bytes)) return false;
    out = base::load_big_endian<std::uint64_t>(bytes.data());
    return true;
  }
  bool text(std::string_view& out) {
    std::size_t length = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      std::string_view byte;
      if (!take(1, byte)) return false;
      const auto bits = static_cast<unsigned char>(byte.front());
      length |= std::size_t{bits & 0x7fu} << shift;
      if (bits < 0x80) return take(length, out);
    }
    return false;
  }
  /// Reads a value; of one with bytes all that is left, if `last`.
  bool value(Value& out, bool last = false) {
    std::string_view type;
    if (!take(1, type)) return false;
    std::string_view bytes;
    std::uint64_t number_read = 0;
    switch (static_cast<ValueType>(type.front())) {
      case ValueType::integer:
        if (!number(number_read)) return false;
        out = Value::integer(static_cast<std::int64_t>(number_read));
        return true;
      case ValueType::real:
        if (!number(number_read)) return false;
        out = Value::real(std::bit_cast<double>(number_read));
        return true;
      case ValueType::boolean:
        if (!take(1, bytes)) return false;
        out = Value::boolean(bytes.front() != 0);
        return true;
      case ValueType::string:
        if (last ? !take(rest_.size(), bytes) : !text(bytes)) return false;
        out = Value::string(bytes);
        return true;
      case ValueType::binary:
        if (last ? !take(rest_.size(), bytes) : !text(bytes)) return false;
        out = Value::binary(bytes);
        return true;
      default:
        return false;
    }
  }
  /// Reads the cells that are left.
  bool cells(Cells& out) {
    std::string_view column;
    while (!at_end()) {
      std::string_view name;
      std::uint64_t version = 0;
      Cell& cell = out.emplace_back();
      if (!text(name) || !number(version) || !value(cell.value)) return false;
      if (!name.empty()) column = name;
      cell.name = column;
      cell.version = static_cast<CellVersion>(version);
    }
    return true;
  }

 private:
  std::string_view rest_;
};

std::size_t cells_size(const Cells& cells) {
  std::size_t size = 0;
  const std::string_view* last = nullptr;
  for (const Cell& cell : cells) {
    const bool same = last != nullptr && *last == cell.name;
    size += same ? 1 : size_of_length(cell.name.size()) + cell.name.size();
    size += version_size + packed_value_size(cell.value);
    last = &cell.name;
  }
  return size;
}

}  // namespace

kv::Error corrupt_row() {
  return {kv::ErrorKind::corrupt, "a row of Tablestore cannot be read"};
}

std::size_t packed_size(const Cells& cells) {
  return 1 + cells_size(cells);
}

kv::Value pack(const Cells& cells) {
  return kv::Value::make(packed_size(cells), [&](char* bytes) {
    CellWriter out(bytes);
    out.byte(packed_format);
    out.cells(cells);
  });
}

kv::Value pack_entry(CellVersion lasts_with, const Cells& cells) {
  return kv::Value::make(1 + version_size + cells_size(cells), [&](char* bytes) {
    CellWriter out(bytes);
    out.byte(entry_format);
    out.number(static_cast<std::uint64_t>(lasts_with));
    out.cells(cells);
  });
}

kv::Value pack(const WideRow& row) {
  return kv::Value::make(1 + 4 * number_size, [&](char* bytes) {
    CellWriter out(bytes);
    out.byte(wide_format);
    out.number(row.cells);
    out.number(row.trimmed);
    out.number(row.bytes);
    out.number(static_cast<std::uint64_t>(row.newest));
  });
}

std::optional<WideRow> wide_row(std::string_view value) {
  if (value.empty() || value.front() != wide_format) return std::nullopt;
  CellReader in(value.substr(1));
  WideRow row;
  std::uint64_t newest = 0;
  if (!in.number(row.cells) || !in.number(row.trimmed) || !in.number(row.bytes) || !in.number(newest))
    return std::nullopt;
  row.newest = static_cast<CellVersion>(newest);
  return row;
}

kv::Result<void> unpack(std::string_view value, Cells& out) {
  out.clear();
  if (value.empty() || value.front() != packed_format) return base::Failure{corrupt_row()};
  CellReader in(value.substr(1));
  if (!in.cells(out)) return base::Failure{corrupt_row()};
  return {};
}

kv::Result<CellVersion> unpack_entry(std::string_view value, Cells& out) {
  out.clear();
  if (value.empty() || value.front() != entry_format) return base::Failure{corrupt_row()};
  CellReader in(value.substr(1));
  std::uint64_t lasts_with = 0;
  if (!in.number(lasts_with) || !in.cells(out)) return base::Failure{corrupt_row()};
  return static_cast<CellVersion>(lasts_with);
}

std::string cells_prefix(std::string_view row_key) {
  std::string prefix(row_key);
  prefix += cells_of_row;
  return prefix;
}

std::string column_prefix(std::string_view row_key, std::string_view column) {
  std::string prefix = cells_prefix(row_key);
  store::append_bytes(prefix, column);
  return prefix;
}

std::string end_of_row(std::string_view row_key) {
  return base::prefix_end(cells_prefix(row_key));
}

std::string cell_key(std::string_view row_key, std::string_view column, CellVersion version) {
  std::string key = column_prefix(row_key, column);
  store::append_int64(key, version, store::Order::descending);
  return key;
}

kv::Value pack_cell(const Value& value) {
  const std::size_t size = value.has_bytes() ? 1 + value.bytes().size() : packed_value_size(value);
  return kv::Value::make(size, [&](char* bytes) {
    CellWriter out(bytes);
    out.byte(static_cast<char>(value.type()));
    value.has_bytes() ? out.bytes(value.bytes()) : out.fixed(value);
  });
}

kv::Result<void> WideCells::add(std::string_view key_in_row, const kv::Value& value) {
  if (key_in_row.empty() || key_in_row.front() != cells_of_row) return base::Failure{corrupt_row()};
  store::TupleReader key(key_in_row.substr(1));
  auto name = key.read_bytes();
  const auto version = name ? key.read_int64(store::Order::descending) : std::nullopt;
  Cell cell;
  if (!version || !CellReader(value.view()).value(cell.value, true)) return base::Failure{corrupt_row()};
  if (names_.empty() || names_.back() != *name) names_.push_back(*std::move(name));
  cell.name = names_.back();
  cell.version = *version;
  values_.push_back(value);
  cells_.push_back(cell);
  return {};
}

}  // namespace dinette::tablestore
