#include <optional>
#include <utility>

#include "cql/data/change_record.h"
#include "cql/data/record_change.h"
#include "cql/data/row_key.h"
#include "cql/data/row_size.h"
#include "cql/data/row_write.h"
#include "cql/schema/table_schema.h"

namespace dinette::cql::data {
namespace {

/// How many rows are deleted in one commit.
constexpr std::size_t rows_per_commit = 100;

class RangeWrite {
 public:
  RangeWrite(store::Store& store, const RangeDeletion& deletion, std::vector<WrittenRecord>& records)
      : store_(store), deletion_(deletion), records_(records) {
    const std::string rows = rows_prefix(deletion.prefix);
    range_ = deletion.all ? store::KeyRange::of_prefix(rows)
                          : store::KeyRange{rows + deletion.range.begin,
                                            deletion.range.end.empty() ? store::KeyRange::of_prefix(rows).end
                                                                       : rows + deletion.range.end};
    for (const std::string& value : deletion.partition) partition_.push_back(value);
  }

  Answer<void> check_row_count() const {
    DINETTE_CHECK(keys_of_rows());
    return {};
  }

  Answer<Written> run() {
    DINETTE_TRY(std::vector<std::string> keys, keys_of_rows());
    if (deletion_.all || deletion_.rules.by_timestamp) {
      DINETTE_TRY(const bool written, change_partition());
      if (!written) return Written::table_changed;
    }
    for (std::size_t first = 0; first < keys.size(); first += rows_per_commit) {
      const std::size_t count = std::min(rows_per_commit, keys.size() - first);
      DINETTE_TRY(const bool written, change_rows(std::span(keys).subspan(first, count)));
      if (!written) return Written::table_changed;
    }
    return Written::applied;
  }

 private:
  /// Returns the keys of all rows in the range. Fails if more of them can be seen than may be deleted.
  Answer<std::vector<std::string>> keys_of_rows() const {
    std::vector<std::string> keys;
    DINETTE_CQL_STORED(const store::View view, store_.view());
    DINETTE_CQL_STORED(auto cursor,
                       view.scan(*deletion_.stored, store::Area::rows(), range_, store::Direction::forward));
    std::size_t visible = 0;
    for (;;) {
      DINETTE_CQL_STORED(const bool more, cursor.next());
      if (!more) return keys;
      keys.emplace_back(cursor.key());
      if (deletion_.most_rows == 0) continue;
      DINETTE_CQL_STORED(Row row, decode_row(cursor.value()));
      if (keep_visible(row, {}, deletion_.rules.now)) ++visible;
      if (visible > deletion_.most_rows) {
        return invalid(
            "Range delete requests are limited by the amount of items that can be deleted in a single "
            "range.");
      }
    }
  }

  /// Returns false if the table has changed.
  Answer<bool> change_partition() {
    const std::string key = partition_record_key(deletion_.prefix);
    const auto decide = [&](const kv::Value* value, store::RowChange& change) -> Answer<void> {
      Partition partition;
      if (value != nullptr) {
        DINETTE_CQL_STORED(partition, decode_partition(value->view()));
      }
      const Footprint before = footprint_of(partition_, partition);
      const std::optional<Row> seen = statics_of(partition);
      if (deletion_.all) {
        delete_partition(partition, deletion_.deletion, deletion_.rules);
      } else {
        delete_range(partition, {deletion_.range, deletion_.deletion}, deletion_.rules);
      }
      purge(partition, deletion_.rules);
      const Footprint after = footprint_of(partition_, partition);
      change = record_change(key, false, before, after, after.exists ? encode(partition) : kv::Value());
      add_to_stream({.of_statics = true}, seen, statics_of(partition), change);
      return {};
    };
    DINETTE_CQL_STORED(const auto written, store_.write(*deletion_.stored, key, decide));
    return end_of(written);
  }

  Answer<bool> change_rows(std::span<const std::string> keys) {
    std::vector<store::WriteTarget> targets;
    std::vector<WrittenRecord> deleted;
    for (const std::string& key : keys) targets.push_back(store::WriteTarget::row(*deletion_.stored, key));
    const auto decide = [&](const store::Rows& rows, store::RowChanges changes) -> Answer<void> {
      deleted.clear();
      for (std::size_t i = 0; i < keys.size(); ++i) {
        changes[i] = {};
        if (rows[i] == nullptr) continue;
        DINETTE_TRY(const std::size_t size, change_row(keys[i], *rows[i], changes[i]));
        deleted.push_back({.is_row = true, .metered = size});
      }
      return {};
    };
    DINETTE_CQL_STORED(const auto written, store_.write(targets, decide));
    if (written.outcome == store::WriteOutcome::applied)
      records_.insert(records_.end(), deleted.begin(), deleted.end());
    return end_of(written);
  }

  /// Returns the metered bytes that the row had.
  Answer<std::size_t> change_row(const std::string& key, const kv::Value& value,
                                 store::RowChange& change) const {
    DINETTE_CQL_STORED(Row row, decode_row(value.view()));
    const std::size_t size = row_size(*deletion_.table, deletion_.sizes, partition_, row).metered();
    const Footprint before = footprint_of(partition_, row);
    const std::optional<Row> seen = seen_of(row);
    // The partition has the tombstone.
    const Deletion own = row.deletion;
    delete_row(row, deletion_.deletion, deletion_.rules);
    row.deletion = deletion_.deletion.hides(own.timestamp) ? Deletion{} : own;
    purge(row, deletion_.rules);
    const Footprint after = footprint_of(partition_, row);
    change = record_change(key, true, before, after, after.exists ? encode(row) : kv::Value());
    ChangeRecord record;
    if (captures()) record.clustering = row.clustering;
    add_to_stream(std::move(record), seen, seen_of(row), change);
    return size;
  }

  bool captures() const { return deletion_.table->options.cdc.open() != nullptr; }

  /// What can be seen, for the stream of the table.
  std::optional<Row> seen_of(Row row) const {
    if (!captures() || !keep_visible(row, {}, deletion_.rules.now)) return std::nullopt;
    row.deletion = {};
    return row;
  }

  std::optional<Row> statics_of(const Partition& partition) const {
    if (!captures()) return std::nullopt;
    Row row{.cells = partition.statics};
    keep_visible(row.cells, partition.deletion, deletion_.rules.now);
    if (row.cells.empty()) return std::nullopt;
    return row;
  }

  void add_to_stream(ChangeRecord record, const std::optional<Row>& before, const std::optional<Row>& after,
                     store::RowChange& change) const {
    if (!captures()) return;
    record.created = deletion_.time;
    record.partition = partition_;
    auto made = change_of(*deletion_.table, std::move(record), before ? &*before : nullptr,
                          after ? &*after : nullptr);
    if (made) change.records.push_back(*std::move(made));
  }

  template <class WrittenRows>
  static Answer<bool> end_of(const WrittenRows& written) {
    if (written.outcome == store::WriteOutcome::applied) return true;
    if (written.outcome == store::WriteOutcome::table_changed) return false;
    return base::Failure{written.decision.error()};
  }

  store::Store& store_;
  const RangeDeletion& deletion_;
  std::vector<WrittenRecord>& records_;
  store::KeyRange range_;
  std::vector<std::string_view> partition_;
};

}  // namespace

Answer<Written> delete_rows(store::Store& store, const RangeDeletion& deletion,
                            std::vector<WrittenRecord>& records) {
  return RangeWrite(store, deletion, records).run();
}

Answer<void> check_row_count(store::Store& store, const RangeDeletion& deletion) {
  if (deletion.most_rows == 0) return {};
  std::vector<WrittenRecord> none;
  return RangeWrite(store, deletion, none).check_row_count();
}

Answer<Written> delete_all(store::Store& store, const store::Table& table) {
  const schema::Table& schema = table.schema_as<schema::TableSchema>().table();
  DINETTE_CQL_STORED(const store::View view, store.view());
  DINETTE_CQL_STORED(auto cursor, view.scan(table, store::Area::rows(), {}, store::Direction::forward));
  for (bool more = true; more;) {
    std::vector<std::string> keys;
    while (keys.size() < rows_per_commit) {
      DINETTE_CQL_STORED(more, cursor.next());
      if (!more) break;
      keys.emplace_back(cursor.key());
    }
    std::vector<store::WriteTarget> targets;
    for (const std::string& key : keys) targets.push_back(store::WriteTarget::row(table, key));
    const auto decide = [&](const store::Rows& rows, store::RowChanges changes) -> Answer<void> {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        changes[i] = {};
        if (rows[i] == nullptr) continue;
        DINETTE_CQL_STORED(changes[i], erase_record(schema, keys[i], *rows[i]));
      }
      return {};
    };
    DINETTE_CQL_STORED(auto written, store.write(targets, decide));
    if (written.outcome == store::WriteOutcome::table_changed) return Written::table_changed;
    if (written.outcome != store::WriteOutcome::applied) return std::move(written.decision).failure();
  }
  return Written::applied;
}

}  // namespace dinette::cql::data
