#include "cql/data/record_change.h"

#include <algorithm>
#include <utility>

#include "dinette/base/bytes.h"

#include "cql/data/merge.h"
#include "cql/data/row_key.h"
#include "cql/data/row_size.h"

namespace dinette::cql::data {
namespace {

constexpr std::size_t due_size = sizeof(std::uint64_t);

/// Collects the earliest of several moments.
class Earliest {
 public:
  void add(Seconds moment) { found_ = std::min(found_.value_or(moment), moment); }
  void add(const Deletion& deletion) {
    if (deletion.exists()) add(deletion.made + tombstones_keep);
  }
  void add(const Cells& cells) {
    for (const Cell& cell : cells) {
      if (cell.kind != Cell::Kind::value) {
        add(cell.made + tombstones_keep);
      } else if (cell.stamp.time_to_live != 0) {
        add(cell.stamp.expires);
      }
    }
  }
  std::optional<Seconds> found() const { return found_; }

 private:
  std::optional<Seconds> found_;
};

/// A record with its key read, for those that have nothing else.
struct ReadRecord {
  bool is_row = false;
  Footprint footprint{};
};

kv::Result<ReadRecord> read_record(const schema::Table& table, std::string_view key, const kv::Value& value) {
  ReadKey read;
  if (!read_key(table, key, read))
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a key of a table of Keyspaces cannot be read"}};
  if (read.is_row) {
    DINETTE_TRY(const Row row, decode_row(value.view()));
    return ReadRecord{true, footprint_of(read.partition, row)};
  }
  DINETTE_TRY(const Partition partition, decode_partition(value.view()));
  return ReadRecord{false, footprint_of(read.partition, partition)};
}

store::KeyWrite entry(Seconds due, std::string_view key, kv::Value value) {
  return {.area = store::Area::expiry(), .key = entry_key(due, key), .value = std::move(value)};
}

}  // namespace

std::optional<Seconds> due_of(const Row& row) {
  Earliest earliest;
  earliest.add(row.deletion);
  earliest.add(row.cells);
  // An expired marker cannot become a tombstone: it must not hide cells.
  if (row.marker && row.marker->time_to_live != 0) earliest.add(row.marker->expires + tombstones_keep);
  return earliest.found();
}

std::optional<Seconds> due_of(const Partition& partition) {
  Earliest earliest;
  earliest.add(partition.deletion);
  earliest.add(partition.statics);
  for (const RangeTombstone& range : partition.ranges) earliest.add(range.deletion);
  return earliest.found();
}

Footprint footprint_of(std::span<const std::string_view> partition, const Row& row) {
  if (row.empty()) return {};
  return {true, static_cast<std::int64_t>(counted_size(partition, row)), due_of(row)};
}

Footprint footprint_of(std::span<const std::string_view> partition, const Partition& record) {
  if (record.empty()) return {};
  return {true, static_cast<std::int64_t>(counted_static_size(partition, record.statics)), due_of(record)};
}

store::RowChange record_change(std::string_view key, bool is_row, const Footprint& before,
                               const Footprint& after, kv::Value value) {
  store::RowChange change;
  if (!before.exists && !after.exists) return change;
  change.row = after.exists ? store::RowChange::Row::put : store::RowChange::Row::erase;
  if (after.exists) change.value = std::move(value);
  change.count.bytes = after.bytes - before.bytes;
  if (is_row) change.count.rows = (after.exists ? 1 : 0) - (before.exists ? 1 : 0);
  if (before.due == after.due) return change;
  if (before.due) change.entries.push_back(entry(*before.due, key, {}));
  if (after.due) change.entries.push_back(entry(*after.due, key, kv::Value(std::string_view("\x01"))));
  return change;
}

kv::Result<store::RowChange> put_record(const schema::Table& table, std::string_view key, kv::Value value) {
  DINETTE_TRY(const ReadRecord read, read_record(table, key, value));
  return record_change(key, read.is_row, {}, read.footprint, std::move(value));
}

kv::Result<store::RowChange> erase_record(const schema::Table& table, std::string_view key,
                                          const kv::Value& value) {
  DINETTE_TRY(const ReadRecord read, read_record(table, key, value));
  return record_change(key, read.is_row, read.footprint, {}, {});
}

store::KeyRange due_entries(Seconds until) {
  return {{}, entry_key(until + 1, {})};
}

Seconds due_in_entry(std::string_view entry) {
  return entry.size() < due_size ? 0
                                 : static_cast<Seconds>(base::load_big_endian<std::uint64_t>(entry.data()));
}

std::string_view record_key_in_entry(std::string_view entry) {
  return entry.size() < due_size ? std::string_view() : entry.substr(due_size);
}

std::string entry_key(Seconds due, std::string_view record_key) {
  std::string key;
  base::append_big_endian(key, static_cast<std::uint64_t>(std::max<Seconds>(due, 0)));
  return key.append(record_key);
}

}  // namespace dinette::cql::data
