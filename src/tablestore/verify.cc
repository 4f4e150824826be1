#include "dinette/tablestore/verify.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/bytes.h"

#include "tablestore/indexes/index_names.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/request/context.h"
#include "tablestore/request/entry_spaces.h"
#include "tablestore/rows/index_entries.h"
#include "tablestore/rows/row_change.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/stored_row.h"
#include "tablestore/streams/stream_record.h"
#include "tablestore/tables/table_schema.h"
#include "tablestore/tunnels/tunnel_record.h"

namespace dinette::tablestore {
namespace {

constexpr std::size_t tables_per_page = 100;

bool in_order(const Cell& a, const Cell& b) {
  return a.name != b.name ? a.name < b.name : a.version > b.version;
}

/// Checks one table.
class TableCheck {
 public:
  TableCheck(const store::View& view, const store::Table& table, store::ReportFault report,
             VerifiedTables& verified)
      : view_(view), table_(table), report_(report), verified_(verified) {}

  kv::Result<void> run() {
    ++verified_.tables;
    DINETTE_TRY(store::RowCursor keys,
                view_.scan(table_, store::Area::rows(), {}, store::Direction::forward));
    DINETTE_TRY(bool more, keys.next());
    while (more) {
      DINETTE_TRY(more, check_row(keys));
    }
    for (std::size_t i = 0; i < meta().indexes.size(); ++i) DINETTE_CHECK(check_index(i));
    if (meta().stream) DINETTE_CHECK(check_stream());
    DINETTE_CHECK(check_tunnels());
    DINETTE_TRY(const store::Count count, view_.count(table_));
    if (!(count == counted_))
      fault("has " + std::to_string(counted_.rows) + " rows and " + std::to_string(counted_.bytes) +
            " bytes, but counts " + std::to_string(count.rows) + " and " + std::to_string(count.bytes));
    return {};
  }

 private:
  const TableSchema& schema() const { return table_.schema_as<TableSchema>(); }
  const TableMeta& meta() const { return schema().meta(); }

  /// Checks the row at the cursor, and moves it past it.
  kv::Result<bool> check_row(store::RowCursor& keys) {
    DecodedKey key;
    const std::string row_key(keys.key());
    const kv::Value value = keys.shared_value();
    std::vector<store::KeyAndValue> cells;
    DINETTE_TRY(bool more, keys.next());
    while (more && keys.key().starts_with(cells_prefix(row_key))) {
      cells.push_back({std::string(keys.key()), keys.shared_value()});
      DINETTE_TRY(more, keys.next());
    }
    ++verified_.rows;
    if (!key.read(row_key, meta().key) || key.size() != row_key.size()) {
      fault("has a key that is none of a row");
      return more;
    }
    StoredRow row;
    if (const auto read = row.read(row_key, &value, cells, RowReading::all); !read)
      fault("has a row that cannot be read");
    else
      check_cells(row, !cells.empty());
    for (std::size_t i = 0; i < meta().indexes.size(); ++i)
      if (auto entry = entry_of(schema(), i, key.key(), row.cells()))
        entries_[i].insert_or_assign(std::move(entry->key), std::move(entry->value));
    counted_ += {1, row.bytes()};
    return more;
  }

  /// Compares an index with the entries that follow from the rows.
  kv::Result<void> check_index(std::size_t place) {
    const IndexMeta& index = meta().indexes[place];
    auto& expected = entries_[place];
    DINETTE_TRY(store::RowCursor keys,
                view_.scan(table_, store::Area::of_index(index.id), {}, store::Direction::forward));
    for (;;) {
      DINETTE_TRY(const bool more, keys.next());
      if (!more) break;
      const auto found = expected.find(keys.key());
      Cells stored;
      Cells wanted;
      DINETTE_CHECK(unpack_entry(keys.value(), stored));
      if (found != expected.end()) DINETTE_CHECK(unpack_entry(found->second.view(), wanted));
      if (found == expected.end() || stored != wanted)
        fault("has an entry in " + index.name + " that is of no row");
      else
        expected.erase(found);
    }
    if (!expected.empty() && !index.partial && !index.building)
      fault("has rows without entries in " + index.name);
    return {};
  }

  kv::Result<void> check_stream() {
    DINETTE_TRY(auto records, view_.read_stream(store::StreamId{meta().stream->stream}));
    for (;;) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) return {};
      const auto record = KeptRecord::read(records.record());
      if (!record || !plainbuffer::decode_row(record->row))
        fault("has a record in its stream that cannot be read");
    }
  }

  kv::Result<void> check_tunnels() {
    std::string key;
    base::append_big_endian(key, table_.id);
    DINETTE_TRY(const auto entry, view_.read(entry_spaces::tunnels, key));
    if (!entry) return {};
    const auto tunnels = unpack_tunnels(entry->view());
    if (!tunnels)
      fault("has tunnels that cannot be read");
    else if (!std::ranges::all_of(*tunnels, [&](const Tunnel& one) { return one.table_name == table_.name; }))
      fault("has tunnels of another table");
    return {};
  }

  void check_cells(const StoredRow& row, bool has_keys) {
    const Cells& cells = row.cells();
    for (std::size_t i = 1; i < cells.size(); ++i)
      if (!in_order(cells[i - 1], cells[i])) fault("has a row whose cells are not in order");
    if (!row.wide()) {
      if (has_keys) fault("has a packed row with cells that have keys of their own");
      return;
    }
    const WideRow counted = wide_row_of(cells);
    if (row.wide()->cells != counted.cells || row.wide()->bytes != counted.bytes)
      fault("has a wide row that does not count its cells");
    if (row.wide()->newest != counted.newest && row.wide()->newest != unknown_version)
      fault("has a wide row that does not know its newest cell");
  }

  void fault(const std::string& what) { report_("table " + table_.name + " " + what); }

  const store::View& view_;
  const store::Table& table_;
  store::ReportFault report_;
  VerifiedTables& verified_;
  store::Count counted_;
  std::vector<std::map<std::string, kv::Value, std::less<>>> entries_ =
      std::vector<std::map<std::string, kv::Value, std::less<>>>(meta().indexes.size());
};

kv::Result<void> check_index_name(store::Store& store, const store::Table& name, store::ReportFault report) {
  DINETTE_TRY(const bool left_over, is_left_over(store, name));
  if (left_over)
    report("the name " + name.name + " is that of an index, which table " +
           name.schema_as<TableSchema>().main_table() + " does not have");
  return {};
}

kv::Result<void> verify_store(store::Store& store, store::ReportFault report, VerifiedTables& verified) {
  DINETTE_TRY(const store::View view, store.view());
  std::string last;
  for (;;) {
    DINETTE_TRY(const auto tables, store.catalog().list(last, tables_per_page));
    for (const store::TablePointer& table : tables) {
      if (table->schema_as<TableSchema>().is_index()) {
        DINETTE_CHECK(check_index_name(store, *table, report));
        continue;
      }
      if (const auto checked = TableCheck(view, *table, report, verified).run(); !checked)
        report("table " + table->name + ": " + checked.error().message);
    }
    if (tables.size() < tables_per_page) return {};
    last = tables.back()->name;
  }
}

}  // namespace

kv::Result<VerifiedTables> verify_tables(tenancy::World& world, store::ReportFault report) {
  VerifiedTables verified;
  DINETTE_CHECK(store::verify_tables(world.engine(), face_id, report));
  for (store::Store* const store : world.stores(face_id)) {
    if (const auto checked = verify_store(*store, report, verified); !checked)
      report("the list of tables: " + checked.error().message);
  }
  return verified;
}

}  // namespace dinette::tablestore
