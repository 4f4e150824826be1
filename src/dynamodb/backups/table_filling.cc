#include "dynamodb/backups/table_filling.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "dinette/store/past_rows.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/backups/copies.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/tables/filled_table.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tasks/task.h"
#include "dynamodb/writes/write_plan.h"

namespace dinette::dynamodb {
namespace {

using store::TablePointer;

store::PastMoment moment_of(const api::TableFilling& filling) {
  store::PastMoment moment;
  if (filling.moment) moment.moment = filling.moment->time();
  if (filling.table_version) moment.table_version = static_cast<std::uint64_t>(*filling.table_version);
  return moment;
}

/// Rows to be written together.
struct CopiedRows {
  std::vector<store::KeyAndValue> rows;
  bool last = false;
};

class TableFill : public Task {
 public:
  TableFill(store::Store& store, const store::Table& table)
      : store_(store),
        table_{static_cast<std::int64_t>(table.id), table.name},
        filling_(*table.schema_as<TableSchema>().record().filling) {}

  std::string name() const override {
    return "the items of " + table_.target_name + ", copied from " + filling_.source_name;
  }

  /// Copies some more rows.
  kv::Result<base::Jobs::Next> step(const std::stop_token&) override {
    DINETTE_TRY(const bool more, copy_some());
    return more ? base::Jobs::Next(base::Jobs::at_once) : base::Jobs::done;
  }

  kv::Result<bool> fail(const std::string&) override { return false; }

 private:
  static constexpr std::size_t rows_per_step = 128;
  static constexpr std::size_t bytes_per_step = 1 << 20;

  /// Returns true if there is more to do.
  kv::Result<bool> copy_some() {
    DINETTE_TRY(const TablePointer table, open_copy(store_, table_));
    DINETTE_TRY(const TablePointer source, open_source(store_, filling_));
    if (!table || !table->schema_as<TableSchema>().record().filling) {
      if (source) DINETTE_CHECK(release_source(store_, *source, table_.target_id));
      return false;
    }
    if (!source) return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the source of a copy is gone"}};
    if (source->schema_as<TableSchema>().record().filling) return true;  // a backup that is not complete yet
    if (!last_key_) {
      DINETTE_TRY(last_key_, last_row_key(*table));
    }
    DINETTE_TRY(const CopiedRows batch, read(*source));
    if (!batch.rows.empty()) {
      DINETTE_TRY(const store::WriteOutcome outcome, write(*table, batch.rows));
      if (outcome == store::WriteOutcome::table_changed) return true;
      last_key_ = batch.rows.back().key;
    }
    if (!batch.last) return true;
    DINETTE_CHECK(end_filling(store_, *table, [](api::TableRecord& record) { record.filling.reset(); }));
    DINETTE_CHECK(release_source(store_, *source, table_.target_id));
    return false;
  }

  /// Rows are copied in their order, so it continues after the last one.
  kv::Result<std::optional<std::string>> last_row_key(const store::Table& table) const {
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(store::RowCursor rows, view.scan(table, store::Area::rows(), {}, store::Direction::backward));
    DINETTE_TRY(const bool any, rows.next());
    return std::optional(any ? std::string(rows.key()) : std::string());
  }

  kv::Result<CopiedRows> read(const store::Table& source) const {
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(store::PastRows past, view.scan_past(source, moment_of(filling_), *last_key_));
    CopiedRows batch;
    for (std::size_t bytes = 0; batch.rows.size() < rows_per_step && bytes < bytes_per_step;) {
      DINETTE_TRY(const bool more, past.next());
      batch.last = !more;
      if (!more) break;
      bytes += past.value().view().size();
      batch.rows.push_back({past.key(), past.value()});
    }
    return batch;
  }

  kv::Result<store::WriteOutcome> write(const store::Table& table,
                                        const std::vector<store::KeyAndValue>& rows) const {
    const auto& schema = table.schema_as<TableSchema>();
    std::vector<model::Item> items;
    std::vector<store::WriteTarget> targets;
    for (const store::KeyAndValue& row : rows) {
      DINETTE_TRY(model::Item item,
                  codec::read_attributes(row.value.view(), schema.key_and_indexed_attributes()));
      items.push_back(std::move(item));
      targets.push_back(store::WriteTarget::row(table, row.key));
    }
    const auto decide = [&](const store::Rows& found, store::RowChanges changes) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!found[i]) changes[i] = plan_write(schema, {}, {rows[i].value, &items[i]}).change;
      }
      return true;
    };
    DINETTE_TRY(const auto written, store_.write(targets, decide));
    if (written.outcome != store::WriteOutcome::partition_full) return written.outcome;
    return base::Failure{kv::Error{kv::ErrorKind::unsupported, "an item collection has become too large"}};
  }

  store::Store& store_;
  const api::TableCopy table_;
  const api::TableFilling filling_;
  std::optional<std::string> last_key_;  ///< empty: no row is there yet; nothing: not looked for
};

}  // namespace

void fill_table(store::Store& store, base::Jobs& jobs, const store::Table& table) {
  run_task(jobs, Pace::quick, "filling of table " + std::to_string(table.id),
           std::make_shared<TableFill>(store, table));
}

}  // namespace dinette::dynamodb
