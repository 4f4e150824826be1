#include "cql/upkeep/store_upkeep.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cql/data/change_record.h"
#include "cql/data/merge.h"
#include "cql/data/record_change.h"
#include "cql/data/row_key.h"
#include "cql/schema/change_streams.h"
#include "cql/schema/table_schema.h"

namespace dinette::cql::upkeep {
namespace {

using data::Partition;
using data::ReadKey;
using data::Row;
using data::Seconds;
using schema::TableSchema;

constexpr std::size_t tables_per_page = 100;
constexpr std::size_t records_per_step = 500;
constexpr std::size_t bytes_per_delete = 1024;
constexpr std::chrono::hours versions_keep{35 * 24};
constexpr std::chrono::hours versions_interval{24};

Seconds seconds_of(base::TimePoint moment) {
  return std::chrono::floor<std::chrono::seconds>(moment.time_since_epoch()).count();
}

base::TimePoint time_of(Seconds seconds) {
  return base::TimePoint(std::chrono::seconds(seconds));
}

std::uint64_t deletes_of(std::int64_t bytes) {
  return (static_cast<std::uint64_t>(bytes) + bytes_per_delete - 1) / bytes_per_delete;
}

/// Looks at the records of a table that are due.
class TableSweep {
 public:
  TableSweep(store::Store& store, const store::Table& stored, base::TimePoint now)
      : store_(store),
        stored_(stored),
        table_(stored.schema_as<TableSchema>().table()),
        time_(now),
        rules_{.by_timestamp = true, .now = seconds_of(now)} {}

  /// Sweeps up to a number of records. Returns when the next one is due.
  kv::Result<std::optional<base::TimePoint>> run(std::size_t most) {
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(auto entries, view.scan(stored_, store::Area::expiry(), {}, store::Direction::forward));
    for (std::size_t swept = 0;; ++swept) {
      DINETTE_TRY(const bool more, entries.next());
      if (!more) return std::optional<base::TimePoint>();
      const Seconds due = data::due_in_entry(entries.key());
      if (due > rules_.now) return std::optional(time_of(due));
      if (swept == most) return std::optional(time_);
      DINETTE_CHECK(sweep_record(view, std::string(data::record_key_in_entry(entries.key()))));
    }
  }

  const Removals& removals() const { return removals_; }

 private:
  kv::Result<void> sweep_record(const store::View& view, const std::string& key) {
    ReadKey read;
    if (!data::read_key(table_, key, read)) return {};
    const bool captures = table_.options.cdc.open() != nullptr;
    Partition partition;
    std::optional<kv::Value> record;
    if (captures && read.is_row) {
      DINETTE_TRY(record, view.read(stored_, data::partition_record_key(key.substr(0, read.prefix_size))));
      if (record) {
        DINETTE_TRY(partition, data::decode_partition(record->view()));
      }
    }
    Removals removals;
    kv::Result<void> decoded;
    const auto decide = [&](const kv::Value* value, store::RowChange& change) {
      change = {};
      removals = {};
      if (value == nullptr) return false;
      decoded = read.is_row ? sweep_row(key, read, partition, *value, change, removals)
                            : sweep_partition(key, read, *value, change, removals);
      return decoded.ok();
    };
    DINETTE_TRY(const auto written, store_.write(stored_, key, decide));
    DINETTE_CHECK(std::move(decoded));
    if (written.outcome != store::WriteOutcome::applied) return {};  // it was changed, and is seen again
    removals_.expired += removals.expired;
    removals_.tombstones += removals.tombstones;
    return {};
  }

  kv::Result<void> sweep_row(std::string_view key, const ReadKey& read, const Partition& partition,
                             const kv::Value& value, store::RowChange& change, Removals& removals) const {
    DINETTE_TRY(Row row, data::decode_row(value.view()));
    const data::Deletion deletion = partition.deletion_of(key.substr(read.prefix_size + 1));
    const auto before = data::footprint_of(read.partition, row);
    const std::optional<Row> seen = seen_before(row, deletion);
    count(data::sweep(row, rules_), before.bytes, removals);
    const auto after = data::footprint_of(read.partition, row);
    change = data::record_change(key, true, before, after, after.exists ? data::encode(row) : kv::Value());
    data::ChangeRecord record;
    if (seen) record.clustering = seen->clustering;
    add_to_stream(std::move(record), read, seen, seen_at(row, deletion, rules_.now), change);
    return {};
  }

  kv::Result<void> sweep_partition(std::string_view key, const ReadKey& read, const kv::Value& value,
                                   store::RowChange& change, Removals& removals) const {
    DINETTE_TRY(Partition partition, data::decode_partition(value.view()));
    const auto before = data::footprint_of(read.partition, partition);
    const std::optional<Row> seen = seen_before({.cells = partition.statics}, partition.deletion);
    count(data::sweep(partition, rules_), before.bytes, removals);
    const auto after = data::footprint_of(read.partition, partition);
    change =
        data::record_change(key, false, before, after, after.exists ? data::encode(partition) : kv::Value());
    add_to_stream({.of_statics = true}, read, seen,
                  seen_at({.cells = partition.statics}, partition.deletion, rules_.now), change);
    return {};
  }

  static void count(const data::Swept& swept, std::int64_t bytes, Removals& removals) {
    if (swept.expired > 0) removals.expired += deletes_of(bytes);
    removals.tombstones += swept.tombstones;
  }

  /// What could be seen of a row at a moment, for the stream of the table.
  std::optional<Row> seen_at(Row row, const data::Deletion& deletion, Seconds moment) const {
    if (table_.options.cdc.open() == nullptr) return std::nullopt;
    if (!data::keep_visible(row, deletion, moment)) return std::nullopt;
    row.deletion = {};
    return row;
  }

  /// The same just before its first cell expired.
  std::optional<Row> seen_before(const Row& row, const data::Deletion& deletion) const {
    std::optional<Seconds> first;
    for (const data::Cell& cell : row.cells) {
      if (cell.kind == data::Cell::Kind::value && cell.stamp.expired(rules_.now))
        first = std::min(first.value_or(cell.stamp.expires), cell.stamp.expires);
    }
    return seen_at(row, deletion, first ? *first - 1 : rules_.now);
  }

  void add_to_stream(data::ChangeRecord record, const ReadKey& read, const std::optional<Row>& before,
                     const std::optional<Row>& after, store::RowChange& change) const {
    record.origin = data::ChangeOrigin::time_to_live;
    record.created = time_;
    record.partition = read.partition;
    auto made =
        data::change_of(table_, std::move(record), before ? &*before : nullptr, after ? &*after : nullptr);
    if (made) change.records.push_back(*std::move(made));
  }

  store::Store& store_;
  const store::Table& stored_;
  const schema::Table& table_;
  const base::TimePoint time_;
  const data::Rules rules_;
  Removals removals_{};
};

/// Erases records that can no longer be read. Returns when the next one is due; nothing of a stream that gets
/// no more.
kv::Result<std::optional<base::TimePoint>> trim_stream(store::Store& store,
                                                       const schema::ChangeStream& stream,
                                                       base::TimePoint now) {
  const store::StreamId id{stream.id};
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(auto records, view.read_stream(id));
  store::Count erased;
  for (;;) {
    DINETTE_TRY(const bool more, records.next());
    if (!more) {
      if (erased.rows > 0) DINETTE_CHECK(store.trim_stream(id, store::stream_end, erased));
      if (stream.ended) return std::optional<base::TimePoint>();
      return std::optional<base::TimePoint>(now + schema::streams_keep);
    }
    DINETTE_TRY(const auto record, data::decode_change(records.record()));
    if (now - record.created < schema::streams_keep || erased.rows == records_per_step) {
      if (erased.rows > 0) DINETTE_CHECK(store.trim_stream(id, records.position(), erased));
      return std::optional<base::TimePoint>(record.created + schema::streams_keep);
    }
    ++erased.rows;
    erased.bytes += static_cast<std::int64_t>(records.record().size());
  }
}

kv::Result<void> trim_versions(store::Store& store, const store::Table& table, base::TimePoint now,
                               const std::stop_token& stop) {
  std::optional<std::string> place = "";
  while (place && !stop.stop_requested()) {
    DINETTE_TRY(place, store.trim_versions(table, now - versions_keep, *place));
  }
  return {};
}

/// One pass over the tables of a store.
class StoreUpkeep {
 public:
  StoreUpkeep(store::Store& store, const ReportRemovals& report)
      : store_(store), report_(report), now_(store.clock().now()) {}

  kv::Result<base::Jobs::Next> run(const std::stop_token& stop) {
    bool any = false;
    std::string after;
    while (!stop.stop_requested()) {
      DINETTE_TRY(const auto page, store_.catalog().list(after, tables_per_page));
      any = any || !page.empty();
      for (const store::TablePointer& one : page) {
        if (!schema::names_keyspace(one->name)) DINETTE_CHECK(keep_table(*one, stop));
      }
      if (page.size() < tables_per_page) break;
      after = page.back()->name;
    }
    // Of an empty store nothing is due; the first definition says when to come.
    return any ? base::Jobs::Next(next_) : base::Jobs::Next(base::Jobs::done);
  }

 private:
  kv::Result<void> keep_table(const store::Table& stored, const std::stop_token& stop) {
    const schema::Table& table = stored.schema_as<TableSchema>().table();
    if (table.filling) return {};
    TableSweep sweep(store_, stored, now_);
    DINETTE_TRY(const auto due, sweep.run(records_per_step));
    note(due);
    if (sweep.removals().expired + sweep.removals().tombstones > 0)
      report_(table.full_name(), sweep.removals());
    for (const schema::ChangeStream& stream : table.options.cdc.streams) {
      DINETTE_TRY(const auto oldest, trim_stream(store_, stream, now_));
      note(oldest);
    }
    if (!table.options.point_in_time_recovery) return {};
    note(now_ + versions_interval);
    return trim_versions(store_, stored, now_, stop);
  }

  void note(std::optional<base::TimePoint> due) {
    if (due) next_ = std::min(next_, *due);
  }

  store::Store& store_;
  const ReportRemovals& report_;
  const base::TimePoint now_;
  /// Nothing that is written from now on is due earlier, except for what has a short time to live.
  base::TimePoint next_ = now_ + std::chrono::seconds(data::tombstones_keep);
};

}  // namespace

kv::Result<base::Jobs::Next> keep_store(store::Store& store, const ReportRemovals& report,
                                        const std::stop_token& stop) {
  return StoreUpkeep(store, report).run(stop);
}

}  // namespace dinette::cql::upkeep
