#include "dinette/cql/verify.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cql/data/change_record.h"
#include "cql/data/record_change.h"
#include "cql/data/row_key.h"
#include "cql/schema/place.h"
#include "cql/schema/table_schema.h"
#include "cql/types/check_value.h"

namespace dinette::cql {
namespace {

constexpr std::size_t tables_per_page = 100;

/// Checks one table.
class TableCheck {
 public:
  TableCheck(const store::View& view, const store::Table& stored, store::ReportFault report,
             VerifiedRows& verified)
      : view_(view),
        stored_(stored),
        table_(stored.schema_as<schema::TableSchema>().table()),
        report_(report),
        verified_(verified) {}

  kv::Result<void> run() {
    ++verified_.tables;
    DINETTE_TRY(auto records, view_.scan(stored_, store::Area::rows(), {}, store::Direction::forward));
    for (;;) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) break;
      check_record(records.key(), records.value());
    }
    DINETTE_CHECK(check_entries());
    for (const schema::ChangeStream& stream : table_.options.cdc.streams) DINETTE_CHECK(check_stream(stream));
    DINETTE_TRY(const store::Count count, view_.count(stored_));
    if (!(count == counted_)) {
      fault("has " + std::to_string(counted_.rows) + " rows and " + std::to_string(counted_.bytes) +
            " bytes, but counts " + std::to_string(count.rows) + " and " + std::to_string(count.bytes));
    }
    return {};
  }

 private:
  void check_record(std::string_view key, std::string_view value) {
    data::ReadKey read;
    if (!data::read_key(table_, key, read)) return fault("has a key that is none of a row");
    check_key(read.partition, 0);
    if (!read.is_row) return check_partition(key, read, value);
    ++verified_.rows;
    const auto row = data::decode_row(value);
    if (!row) return fault("has a row that cannot be read");
    const std::string expected = data::rows_prefix(data::partition_prefix(read.partition)) +
                                 data::clustering_part(table_, row->clustering);
    if (key != expected) fault("has a row that is not at the key of its columns");
    check_key(row->clustering, table_.partition_key_size());
    check_cells(row->cells, schema::ColumnKind::regular);
    note(key, true, data::footprint_of(read.partition, *row));
  }

  void check_partition(std::string_view key, const data::ReadKey& read, std::string_view value) {
    const auto partition = data::decode_partition(value);
    if (!partition) return fault("has a partition that cannot be read");
    check_cells(partition->statics, schema::ColumnKind::static_);
    note(key, false, data::footprint_of(read.partition, *partition));
  }

  void note(std::string_view key, bool is_row, const data::Footprint& footprint) {
    if (!footprint.exists) fault("has a record of nothing");
    counted_ += {is_row ? 1 : 0, footprint.bytes};
    if (footprint.due) expected_.insert(data::entry_key(*footprint.due, key));
  }

  void check_key(const std::vector<std::string_view>& values, std::size_t first) {
    for (std::size_t i = 0; i < values.size() && first + i < table_.columns.size(); ++i) {
      if (!check_value(table_.columns[first + i].type, values[i]))
        fault("has a key whose value of " + table_.columns[first + i].name + " is none of its type");
    }
  }

  void check_cells(const data::Cells& cells, schema::ColumnKind kind) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0 && !data::precedes(cells[i - 1], cells[i])) fault("has cells that are not in order");
      const schema::Column* const column = table_.find_column(cells[i].column);
      if (column == nullptr) continue;  // it was dropped
      if (column->kind != kind) fault("has a cell of " + column->name + ", which is of another kind");
      check_cell(*column, cells[i]);
    }
  }

  void check_cell(const schema::Column& column, const data::Cell& cell) {
    if (cell.kind != data::Cell::Kind::value) return;
    const auto wrong = [&] { fault("has a cell of " + column.name + " that is none of its type"); };
    if (!column.has_parts()) {
      if (!check_value(column.type, cell.value)) wrong();
      return;
    }
    if (column.type.kind == Kind::udt) return;
    const bool has_key = column.type.kind != Kind::list;
    if (has_key && !check_value(column.type.arguments.front(), cell.key)) return wrong();
    const bool has_value = column.type.kind != Kind::set;
    if (has_value && !check_value(column.type.arguments.back(), cell.value)) wrong();
  }

  /// Compares the entries of the sweeper with those that follow from the records.
  kv::Result<void> check_entries() {
    DINETTE_TRY(auto entries, view_.scan(stored_, store::Area::expiry(), {}, store::Direction::forward));
    for (;;) {
      DINETTE_TRY(const bool more, entries.next());
      if (!more) break;
      if (expected_.erase(std::string(entries.key())) == 0) fault("has an entry that is of no record");
    }
    if (!expected_.empty()) fault("has records that nothing will remove");
    return {};
  }

  kv::Result<void> check_stream(const schema::ChangeStream& stream) {
    DINETTE_TRY(auto records, view_.read_stream(store::StreamId{stream.id}));
    for (;;) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) return {};
      if (!data::decode_change(records.record())) fault("has a record of a change that cannot be read");
    }
  }

  void fault(const std::string& what) { report_("table " + stored_.name + " of Keyspaces " + what); }

  const store::View& view_;
  const store::Table& stored_;
  const schema::Table& table_;
  store::ReportFault report_;
  VerifiedRows& verified_;
  store::Count counted_;
  std::set<std::string> expected_;  ///< entries
};

kv::Result<void> verify_store(store::Store& store, store::ReportFault report, VerifiedRows& verified) {
  DINETTE_TRY(const store::View view, store.view());
  std::string last;
  for (;;) {
    DINETTE_TRY(const auto tables, store.catalog().list(last, tables_per_page));
    for (const store::TablePointer& one : tables) {
      if (schema::names_keyspace(one->name)) continue;
      if (const auto checked = TableCheck(view, *one, report, verified).run(); !checked)
        report("table " + one->name + " of Keyspaces: " + checked.error().message);
    }
    if (tables.size() < tables_per_page) return {};
    last = tables.back()->name;
  }
}

}  // namespace

kv::Result<VerifiedRows> verify_rows(tenancy::World& world, store::ReportFault report) {
  VerifiedRows verified;
  DINETTE_CHECK(store::verify_tables(world.engine(), face_id, report));
  for (store::Store* const store : world.stores(face_id)) {
    if (const auto checked = verify_store(*store, report, verified); !checked)
      report("the list of tables of Keyspaces: " + checked.error().message);
  }
  return verified;
}

}  // namespace dinette::cql
