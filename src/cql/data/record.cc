#include "cql/data/record.h"

#include <cstddef>

#include "dinette/base/bytes.h"

namespace dinette::cql::data {
namespace {

constexpr char row_format = 1;
constexpr char partition_format = 2;

/// Bits of what a cell or a marker has.
constexpr std::uint8_t kind_bits = 0x03;
constexpr std::uint8_t has_expiry = 0x04;
constexpr std::uint8_t has_path = 0x08;
constexpr std::uint8_t has_key = 0x10;

/// Bits of what a row has.
constexpr std::uint8_t has_marker = 0x01;
constexpr std::uint8_t has_deletion = 0x02;

class RecordWriter {
 public:
  /// `expected`: about how many bytes there will be.
  RecordWriter(char format, std::size_t expected) {
    out_.reserve(expected);
    out_.push_back(format);
  }

  void byte(std::uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void number(std::int64_t value) { base::append_big_endian(out_, static_cast<std::uint64_t>(value)); }
  /// Seven bits per byte, the lowest first.
  void size(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  void text(std::string_view value) {
    size(value.size());
    out_ += value;
  }
  void deletion(const Deletion& value) {
    number(value.timestamp);
    number(value.made);
  }
  void stamp(const Stamp& value) {
    number(value.timestamp);
    if (value.time_to_live == 0) return;
    size(static_cast<std::uint64_t>(value.time_to_live));
    number(value.expires);
  }
  void cells(const Cells& cells) {
    size(cells.size());
    for (const Cell& cell : cells) this->cell(cell);
  }

  kv::Value finish() const { return kv::Value(out_); }

 private:
  void cell(const Cell& cell) {
    std::uint8_t bits = static_cast<std::uint8_t>(cell.kind);
    if (cell.stamp.time_to_live != 0) bits |= has_expiry;
    if (!cell.path.empty()) bits |= has_path;
    if (!cell.key.empty()) bits |= has_key;
    byte(bits);
    size(cell.column);
    stamp(cell.stamp);
    if (cell.kind != Cell::Kind::value) number(cell.made);
    if (!cell.path.empty()) text(cell.path);
    if (!cell.key.empty()) text(cell.key);
    if (cell.kind == Cell::Kind::value) text(cell.value);
  }

  std::string out_;
};

/// Reads what a RecordWriter wrote. After a fault everything is empty, and ok() is false.
class RecordReader {
 public:
  RecordReader(std::string_view bytes, char format) : rest_(bytes) {
    if (byte() != static_cast<std::uint8_t>(format)) ok_ = false;
  }

  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && rest_.empty(); }

  std::uint8_t byte() {
    const std::string_view bytes = take(1);
    return bytes.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(bytes.front());
  }
  std::int64_t number() {
    const std::string_view bytes = take(8);
    return bytes.empty() ? 0 : static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(bytes.data()));
  }
  std::uint64_t size() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
      if ((next & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }
  /// The number of parts, each of which has a byte at least.
  std::size_t count() {
    const std::uint64_t parts = size();
    if (parts > rest_.size()) ok_ = false;
    return ok_ ? static_cast<std::size_t>(parts) : 0;
  }
  std::string_view text() { return take(size()); }
  Deletion deletion() {
    const Timestamp timestamp = number();
    return {timestamp, number()};
  }
  Stamp stamp(bool expiring) {
    Stamp value{.timestamp = number()};
    if (!expiring) return value;
    value.time_to_live = static_cast<std::int32_t>(size());
    value.expires = number();
    return value;
  }
  Cells cells() {
    Cells out(count());
    for (Cell& cell : out) cell = this->cell();
    return out;
  }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

  Cell cell() {
    Cell out;
    const std::uint8_t bits = byte();
    out.kind = static_cast<Cell::Kind>(bits & kind_bits);
    out.column = static_cast<std::uint32_t>(size());
    out.stamp = stamp((bits & has_expiry) != 0);
    if (out.kind != Cell::Kind::value) out.made = number();
    if ((bits & has_path) != 0) out.path = text();
    if ((bits & has_key) != 0) out.key = text();
    if (out.kind == Cell::Kind::value) out.value = text();
    return out;
  }

  std::string_view rest_;
  bool ok_ = true;
};

base::Failure<kv::Error> corrupt(std::string_view what) {
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "corrupt record of a " + std::string(what)}};
}

constexpr std::size_t head_size = 64;

std::size_t expected_size(const Cells& cells) {
  constexpr std::size_t numbers_size = 32;
  std::size_t size = 0;
  for (const Cell& cell : cells)
    size += numbers_size + cell.path.size() + cell.key.size() + cell.value.size();
  return size;
}

}  // namespace

Deletion Partition::deletion_of(std::string_view row) const {
  Deletion latest = deletion;
  for (const RangeTombstone& tombstone : ranges) {
    if (tombstone.deletion.timestamp > latest.timestamp && tombstone.range.contains(row)) {
      latest = tombstone.deletion;
    }
  }
  return latest;
}

kv::Value encode(const Row& row) {
  RecordWriter out(row_format, head_size + expected_size(row.cells));
  const bool marked = row.marker.has_value();
  const bool expires = marked && row.marker->time_to_live != 0;
  out.byte(static_cast<std::uint8_t>((marked ? has_marker : 0) | (expires ? has_expiry : 0) |
                                     (row.deletion.exists() ? has_deletion : 0)));
  out.size(row.clustering.size());
  for (const std::string_view value : row.clustering) out.text(value);
  if (marked) out.stamp(*row.marker);
  if (row.deletion.exists()) out.deletion(row.deletion);
  out.cells(row.cells);
  return out.finish();
}

kv::Value encode(const Partition& partition) {
  RecordWriter out(partition_format, head_size + expected_size(partition.statics));
  out.byte(partition.deletion.exists() ? has_deletion : 0);
  if (partition.deletion.exists()) out.deletion(partition.deletion);
  out.size(partition.ranges.size());
  for (const RangeTombstone& tombstone : partition.ranges) {
    out.text(tombstone.range.begin);
    out.text(tombstone.range.end);
    out.deletion(tombstone.deletion);
  }
  out.cells(partition.statics);
  return out.finish();
}

kv::Result<Row> decode_row(std::string_view bytes) {
  RecordReader in(bytes, row_format);
  Row row;
  const std::uint8_t bits = in.byte();
  row.clustering.resize(in.count());
  for (std::string_view& value : row.clustering) value = in.text();
  if ((bits & has_marker) != 0) row.marker = in.stamp((bits & has_expiry) != 0);
  if ((bits & has_deletion) != 0) row.deletion = in.deletion();
  row.cells = in.cells();
  if (!in.at_end()) return corrupt("row");
  return row;
}

kv::Result<Partition> decode_partition(std::string_view bytes) {
  RecordReader in(bytes, partition_format);
  Partition partition;
  if ((in.byte() & has_deletion) != 0) partition.deletion = in.deletion();
  const std::size_t ranges = in.count();
  for (std::size_t i = 0; i < ranges && in.ok(); ++i) {
    RangeTombstone& tombstone = partition.ranges.emplace_back();
    tombstone.range.begin = in.text();
    tombstone.range.end = in.text();
    tombstone.deletion = in.deletion();
  }
  partition.statics = in.cells();
  if (!in.at_end()) return corrupt("partition");
  return partition;
}

}  // namespace dinette::cql::data
