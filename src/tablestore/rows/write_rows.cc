#include "tablestore/rows/write_rows.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dinette/base/bytes.h"

#include "tablestore/api/refusals.h"
#include "tablestore/request/entry_spaces.h"
#include "tablestore/rows/index_entries.h"
#include "tablestore/rows/row_change.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/row_record.h"
#include "tablestore/rows/stored_row.h"

namespace dinette::tablestore {
namespace {

/// The entry that has the last number of an AUTO_INCREMENT column in a partition.
std::string number_key(const store::Table& table, const Value& partition_key) {
  std::string key;
  base::append_big_endian(key, table.id);
  return key + encode_partition(partition_key);
}

std::int64_t number_in(const kv::Value* entry) {
  if (entry == nullptr || entry->size() != sizeof(std::int64_t)) return 0;
  return static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(entry->view().data()));
}

kv::Value number_entry(std::int64_t number) {
  std::string bytes;
  base::append_big_endian(bytes, static_cast<std::uint64_t>(number));
  return kv::Value(bytes);
}

void append_record(const StreamMeta& stream, base::TimePoint now, const RowRecord& record,
                   store::RowChange& change) {
  change.records.push_back({store::StreamId{stream.stream}, pack(record, now)});
}

/// A row, and what is done to it: indexes of writes, in their order.
struct RowPlan {
  const OpenTable& table;
  std::string key;
  std::vector<std::size_t> writes = {};
  std::vector<store::KeysToRead> columns = {};  ///< that the writes need of a wide row

  const TableMeta& meta() const { return table.meta(); }
};

/// The numbers that the service gives to new rows of a partition.
struct NumberPlan {
  std::string key;  ///< of the entry that has the last one
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Writes of rows, which are decided together.
class RowsWrite {
 public:
  /// `alone`: a write that fails leaves the others.
  RowsWrite(const Context& context, std::span<const WriteInTable> writes, bool alone)
      : context_(context),
        writes_(writes),
        alone_(alone),
        now_(version_at(context.now)),
        results_(writes.size()),
        failures_(alone ? writes.size() : 0),
        records_(has_stream() ? writes.size() : 0) {}

  /// Returns true if the writes are done, false if a table has been altered.
  Answer<bool> run() {
    for (;;) {
      DINETTE_CHECK(choose_numbers());
      plan_rows();
      DINETTE_TRY(const bool finished, try_to_write());
      if (finished) return is_written_;
    }
  }

  std::vector<WrittenRow>& results() { return results_; }
  const std::optional<ApiError>& failure(std::size_t place) const { return failures_[place]; }

 private:
  const RowWrite& write(std::size_t place) const { return writes_[place].write; }
  bool has_stream() const {
    return std::ranges::any_of(writes_,
                               [](const WriteInTable& one) { return one.table.meta().stream.has_value(); });
  }

  /// Gives new rows their numbers, after the last one that was given in their partition.
  Answer<void> choose_numbers() {
    numbers_.clear();
    for (std::size_t i = 0; i < writes_.size(); ++i) {
      results_[i].key = write(i).row.key;
      const auto column = writes_[i].table.meta().auto_increment_column();
      if (!column || results_[i].key[*column].value.type() != ValueType::auto_increment) continue;
      DINETTE_TRY(NumberPlan* const numbers,
                  numbers_of(*writes_[i].table.table, results_[i].key.front().value));
      numbers->last = std::max(numbers->last + 1, context_.now.time_since_epoch().count());
      results_[i].key[*column].value = Value::integer(numbers->last);
    }
    return {};
  }

  Answer<NumberPlan*> numbers_of(const store::Table& table, const Value& partition_key) {
    NumberPlan plan{number_key(table, partition_key)};
    const auto known = std::ranges::find(numbers_, plan.key, &NumberPlan::key);
    if (known != numbers_.end()) return &*known;
    DINETTE_TABLESTORE_STORED(const store::View view, context_.store.view());
    DINETTE_TABLESTORE_STORED(const auto last, view.read(entry_spaces::last_numbers, plan.key));
    plan.first = plan.last = number_in(last ? &*last : nullptr);
    return &numbers_.emplace_back(std::move(plan));
  }

  void plan_rows() {
    plans_.clear();
    reading_ = RowReading::value;
    plans_.reserve(writes_.size());  // so that the keys stay where they are
    if (writes_.size() == 1) {
      plans_.push_back({writes_[0].table, encode_key(results_[0].key), {0}});
      return;
    }
    std::map<std::pair<store::TableId, std::string_view>, std::size_t> places;  // of the plans
    for (std::size_t i = 0; i < writes_.size(); ++i) {
      const OpenTable& table = writes_[i].table;
      std::string key = encode_key(results_[i].key);
      auto place = places.find({table.table->id, key});
      if (place == places.end()) {
        plans_.push_back({table, std::move(key)});
        place =
            places.emplace(std::pair(table.table->id, std::string_view(plans_.back().key)), plans_.size() - 1)
                .first;
      }
      plans_[place->second].writes.push_back(i);
    }
  }

  /// Returns false if the numbers of new rows must be chosen again.
  Answer<bool> try_to_write() {
    for (;;) {
      const std::vector<store::WriteTarget> targets = make_targets();
      const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
        return this->decide(rows, changes);
      };
      DINETTE_TABLESTORE_STORED(auto written, context_.store.write(targets, decide));
      switch (written.outcome) {
        case store::WriteOutcome::applied:
          is_written_ = true;
          return true;
        case store::WriteOutcome::table_changed:
          return true;
        case store::WriteOutcome::partition_full:
        case store::WriteOutcome::refused:
          break;
      }
      if (number_taken_) return false;
      if (wanted_ == reading_) return std::move(written.decision).failure();
      reading_ = wanted_;
      if (reading_ == RowReading::columns) plan_columns();
    }
  }

  std::vector<store::WriteTarget> make_targets() const {
    std::vector<store::WriteTarget> targets;
    targets.reserve(plans_.size() + numbers_.size());
    for (const RowPlan& plan : plans_) {
      const store::Table& table = *plan.table.table;
      if (reading_ == RowReading::all)
        targets.push_back(store::WriteTarget::row_of_several_keys(table, plan.key));
      else
        targets.push_back(store::WriteTarget::row_with_keys(table, plan.key, plan.columns));
    }
    for (const NumberPlan& numbers : numbers_)
      targets.push_back(store::WriteTarget::entry(entry_spaces::last_numbers, numbers.key));
    return targets;
  }

  void plan_columns() {
    for (RowPlan& plan : plans_) {
      for (const std::string_view column : columns_needed(plan))
        plan.columns.push_back({store::KeyRange::of_prefix(column_prefix(plan.key, column))});
    }
  }

  /// Returns the columns whose cells the writes of a row read or change, once each.
  std::vector<std::string_view> columns_needed(const RowPlan& plan) const {
    std::vector<std::string_view> columns;
    for (const std::size_t place : plan.writes) {
      const RowWrite& one = write(place);
      if (one.kind == api::OperationType::update)
        for (const CellChange& cell : one.row.cells) columns.push_back(cell.name);
      if (!one.condition) continue;
      const auto compared = one.condition->columns();
      columns.insert(columns.end(), compared.begin(), compared.end());
    }
    append_indexed_columns(plan.meta(), columns);
    if (const auto& stream = plan.meta().stream)
      columns.insert(columns.end(), stream->origin_columns.begin(), stream->origin_columns.end());
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  bool deletes_cells(const RowPlan& plan) const {
    const auto deletes = [](const CellChange& cell) {
      return cell.operation && *cell.operation != CellOperation::increment;
    };
    return std::ranges::any_of(
        plan.writes, [&](std::size_t place) { return std::ranges::any_of(write(place).row.cells, deletes); });
  }

  /// Returns how much of a wide row these writes have to read.
  RowReading reading_for(const RowPlan& plan, const WideRow& row, const Visibility& visibility) const {
    const bool only_replaced = std::ranges::none_of(
        plan.writes, [&](std::size_t place) { return write(place).kind == api::OperationType::update; });
    // A row exists as long as one of its cells has not expired, or has been deleted as the last one.
    const bool may_be_gone = plan.meta().options.expires() && (!row.lasts(visibility) || deletes_cells(plan));
    if (may_be_gone || (!only_replaced && must_be_trimmed(row))) return RowReading::all;
    return columns_needed(plan).empty() ? RowReading::value : RowReading::columns;
  }

  Answer<void> decide(const store::Rows& rows, store::RowChanges changes) {
    wanted_ = reading_;
    DINETTE_CHECK(decide_numbers(rows, changes));
    for (std::size_t i = 0; i < plans_.size(); ++i)
      DINETTE_CHECK(decide_row(plans_[i], rows[i], rows.keys(i), changes[i]));
    append_records(changes);
    return {};
  }

  Answer<void> decide_numbers(const store::Rows& rows, store::RowChanges changes) {
    number_taken_ = false;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const std::size_t target = plans_.size() + i;
      number_taken_ = number_in(rows[target]) != numbers_[i].first;
      if (number_taken_) return must_wait();
      changes[target].row = store::RowChange::Row::put;
      changes[target].value = number_entry(numbers_[i].last);
    }
    return {};
  }

  Answer<void> decide_row(const RowPlan& plan, const kv::Value* value,
                          std::span<const store::KeyAndValue> keys, store::RowChange& change) {
    const Visibility visibility = Visibility::of(plan.meta().options, context_.now);
    StoredRow stored;
    if (const auto read = stored.read(plan.key, value, keys, reading_); !read)
      return storage_failure(read.error());
    if (stored.wide()) {
      wanted_ = std::max(wanted_, reading_for(plan, *stored.wide(), visibility));
      if (wanted_ != reading_) return must_wait();
    }
    VisibleRow row{.exists = stored.present(), .cells = stored.cells()};
    // Of a row that was not read whole some cell lasts.
    if (row.exists && !keep_visible(row.cells, visibility) && stored.complete()) row = {};
    bool changed = false;
    bool replaced = false;
    for (const std::size_t place : plan.writes) {
      DINETTE_TRY(const bool applied, apply_write(plan, place, visibility, row));
      changed |= applied;
      replaced |= applied && write(place).kind != api::OperationType::update;
    }
    if (!changed) return {};
    change = change_of(plan.key, stored, row, replaced);
    if (!plan.meta().indexes.empty())
      add_index_changes(plan.table.schema(), results_[plan.writes.front()].key,
                        stored.present() ? &stored.cells() : nullptr, row.exists ? &row.cells : nullptr,
                        change);
    return {};
  }

  /// Makes a row what a write makes of it. Returns false if that fails alone.
  Answer<bool> apply_write(const RowPlan& plan, std::size_t place, const Visibility& visibility,
                           VisibleRow& row) {
    auto after = apply(write(place), row, visibility, now_);
    if (alone_) failures_[place] = after ? std::optional<ApiError>() : after.error();
    if (!records_.empty()) records_[place].reset();
    if (!after && alone_) return false;
    if (!after) return std::move(after).failure();
    WrittenRow& result = results_[place];
    result.incremented = std::move(after->incremented);
    if (const auto& stream = plan.meta().stream)
      records_[place] = record_of(write(place), result.key, result.incremented, row, *stream, now_);
    row = std::move(after->row);
    return true;
  }

  /// Adds the records of all writes, in their order, to the first change of their table.
  void append_records(store::RowChanges changes) const {
    for (std::size_t place = 0; place < records_.size(); ++place) {
      if (!records_[place]) continue;
      const OpenTable& table = writes_[place].table;
      const auto plan = std::ranges::find_if(
          plans_, [&](const RowPlan& one) { return one.table.table->id == table.table->id; });
      append_record(*table.meta().stream, context_.now, *records_[place],
                    changes[static_cast<std::size_t>(plan - plans_.begin())]);
    }
  }

  const Context& context_;
  const std::span<const WriteInTable> writes_;
  const bool alone_;
  const CellVersion now_;
  std::vector<WrittenRow> results_;
  std::vector<std::optional<ApiError>> failures_;  ///< of the writes, if they fail alone
  std::vector<std::optional<RowRecord>> records_;  ///< of the writes, if a table has a stream
  std::vector<RowPlan> plans_;
  std::vector<NumberPlan> numbers_;
  RowReading reading_ = RowReading::value;
  // By the last decision:
  RowReading wanted_ = RowReading::value;
  bool number_taken_ = false;
  bool is_written_ = false;
};

}  // namespace

Answer<std::optional<std::vector<WrittenRow>>> write_rows(const Context& context, const OpenTable& table,
                                                          std::span<const RowWrite> writes) {
  boost::container::small_vector<WriteInTable, 1> in_table;
  for (const RowWrite& write : writes) in_table.push_back({table, write});
  RowsWrite all(context, in_table, false);
  DINETTE_TRY(const bool written, all.run());
  if (!written) return std::optional<std::vector<WrittenRow>>();
  return std::optional(std::move(all.results()));
}

Answer<std::optional<std::vector<Answer<WrittenRow>>>> write_rows_alone(
    const Context& context, std::span<const WriteInTable> writes) {
  std::vector<Answer<WrittenRow>> outcomes;
  if (writes.empty()) return std::optional(std::move(outcomes));
  RowsWrite all(context, writes, true);
  DINETTE_TRY(const bool written, all.run());
  if (!written) return std::optional<std::vector<Answer<WrittenRow>>>();
  outcomes.reserve(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (const auto& failure = all.failure(i))
      outcomes.emplace_back(base::Failure{*failure});
    else
      outcomes.emplace_back(std::move(all.results()[i]));
  }
  return std::optional(std::move(outcomes));
}

Answer<bool> write_pending(const Context& context, const OpenTable& table, const PendingRows& rows,
                           std::span<const RowRecord> records) {
  // Entries of indexes follow from the cells that there were.
  const bool whole = !table.meta().indexes.empty();
  std::vector<store::WriteTarget> targets;
  for (const auto& row : rows)
    targets.push_back(whole ? store::WriteTarget::row_of_several_keys(*table.table, row.first)
                            : store::WriteTarget::row(*table.table, row.first));
  const auto decide = [&](const store::Rows& stored, store::RowChanges changes) -> Answer<void> {
    std::size_t place = 0;
    for (const auto& [key, value] : rows) {
      StoredRow before;
      VisibleRow after{.exists = static_cast<bool>(value)};
      const RowReading reading = whole ? RowReading::all : RowReading::value;
      if (const auto read = before.read(key, stored[place], stored.keys(place), reading); !read)
        return storage_failure(read.error());
      if (const auto read = value ? unpack(value.view(), after.cells) : kv::Result<void>(); !read)
        return storage_failure(read.error());
      changes[place] = change_of(key, before, after, true);
      DecodedKey decoded;
      if (whole && decoded.read(key, table.meta().key))
        add_index_changes(table.schema(), decoded.key(), before.present() ? &before.cells() : nullptr,
                          after.exists ? &after.cells : nullptr, changes[place]);
      ++place;
    }
    if (const auto& stream = table.meta().stream)
      for (const RowRecord& record : records) append_record(*stream, context.now, record, changes[0]);
    return {};
  };
  DINETTE_TABLESTORE_STORED(const auto written, context.store.write(targets, decide));
  if (written.outcome == store::WriteOutcome::table_changed) return false;
  if (written.outcome != store::WriteOutcome::applied) return base::Failure{written.decision.error()};
  return true;
}

}  // namespace dinette::tablestore
