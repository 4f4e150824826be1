#include "dynamodb/indexes/index_build.h"

#include <algorithm>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/codec/attribute_cursor.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/indexes/index_entry.h"
#include "dynamodb/indexes/row_keys.h"
#include "dynamodb/request/attribute_names.h"
#include "dynamodb/tables/filled_table.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tasks/task.h"

namespace dinette::dynamodb {
namespace {

using store::TablePointer;

/// Notes that the index is filled, if it is among these.
template <class Record>
void note_filled(std::vector<Record>& records, store::IndexId index) {
  const auto found = std::ranges::find(records, static_cast<std::int32_t>(index), &Record::id);
  if (found != records.end()) found->building = false;
}

/// Returns the index, or null if it is gone or filled.
const IndexSchema* building_index(const TableSchema& schema, store::IndexId id) {
  const auto found = std::ranges::find(schema.indexes(), id, &IndexSchema::id);
  return found == schema.indexes().end() || !found->building ? nullptr : &*found;
}

bool is_of_type(std::string_view value, model::Type type) {
  const std::string_view name = model::type_name(type);  // of a key: of one letter
  return value.starts_with("{\"") && value.substr(2).starts_with(name) &&
         value.substr(2 + name.size()).starts_with('"');
}

/// Returns true if all key attributes of the index are there, and the vector, and of their types. No other
/// attribute is parsed, however long it is. A corrupt record may have none.
bool may_have_entry(const IndexSchema& index, std::string_view record, model::Work& work) {
  std::size_t right = index.vector ? 0 : 1;  // the vector counts as one more
  for (codec::AttributeCursor attribute(record); attribute.next();) {
    work.add(1);
    if (index.vector && attribute.name() == index.vector->attribute) {
      if (attribute.value().starts_with(R"({"L":[)")) ++right;
      continue;
    }
    const auto key = std::ranges::find(index.keys, attribute.name(), &KeyAttribute::name);
    if (key != index.keys.end() && is_of_type(attribute.value(), key->type)) ++right;
  }
  return right == index.keys.size() + 1;
}

/// Returns the attributes of an item that its entry in one index needs; ascending.
AttributeNames needed_for(const TableSchema& schema, const IndexSchema& index) {
  AttributeNames needed;
  for (const std::string& name : schema.indexed_attributes()) {
    const bool key = schema.is_key(name) || index.is_key(name);
    if (key || (!index.shares_records() && schema.projects(index, name))) needed.push_back(name);
  }
  return needed;
}

class IndexBuild : public Task {
 public:
  IndexBuild(store::Store& store, const store::Table& table, store::IndexId index)
      : store_(store), name_(table.name), table_(table.id), index_(index) {}

  std::string name() const override { return "an index of " + name_; }

  /// Enters some more rows.
  kv::Result<base::Jobs::Next> step(const std::stop_token& stop) override {
    DINETTE_TRY(const bool more, enter_some(stop));
    return more ? base::Jobs::Next(base::Jobs::at_once) : base::Jobs::done;
  }

  /// The table could not even be deleted while its index is being built.
  kv::Result<bool> fail(const std::string&) override { return false; }

 private:
  static constexpr std::size_t rows_per_step = 256;
  // Rows may cost much: a step ends after some ten milliseconds' worth of them, too.
  static constexpr std::size_t work_per_step = 1'000'000;
  static constexpr std::size_t work_per_row = 500;  // in addition to what is read and written

  /// Returns true if there is more to do.
  kv::Result<bool> enter_some(const std::stop_token& stop) {
    DINETTE_TRY(const TablePointer table, store_.catalog().open(name_));
    if (!table || table->id != table_) return false;
    const auto& schema = table->schema_as<TableSchema>();
    const IndexSchema* index = building_index(schema, index_);
    if (!index) return false;
    const AttributeNames needed = needed_for(schema, *index);
    DINETTE_TRY(const std::vector<std::string> keys,
                row_keys_after(store_, *table, last_key_, rows_per_step));
    model::Work work;
    for (const std::string& key : keys) {
      // Goes on from the last key.
      if (work.units() >= work_per_step || stop.stop_requested()) return true;
      DINETTE_TRY(const store::WriteOutcome outcome, enter(*table, schema, *index, needed, key, work));
      if (outcome == store::WriteOutcome::table_changed) return true;
      last_key_ = key;
    }
    if (keys.size() == rows_per_step) return true;
    DINETTE_CHECK(end_filling(store_, *table, [this](api::TableRecord& record) { mark_filled(record); }));
    return false;
  }

  /// Puts the entry of the row as it is now, unless a write has done so already.
  kv::Result<store::WriteOutcome> enter(const store::Table& table, const TableSchema& schema,
                                        const IndexSchema& index, const AttributeNames& needed,
                                        const std::string& key, model::Work& work) {
    constexpr std::size_t bytes_written_per_unit = 8;
    work.add(work_per_row);
    const auto decide = [&](const kv::Value* current, store::RowChange& change) {
      if (!current || !may_have_entry(index, current->view(), work)) return false;
      const auto item = codec::read_attributes(current->view(), needed, work);
      if (!item) return false;  // corrupt: no index has it, and reads of the table say so
      const ItemImage image{*current, &*item};
      EntryKeys keys(schema);
      const auto entry = index_entry(schema, index, image, keys);
      if (!entry) return false;
      kv::Value record = entry_record(schema, index, image, *entry);
      if (!index.shares_records()) work.add(record.view().size() / bytes_written_per_unit);
      change.entries.push_back({.area = store::Area::of_index(index.id),
                                .key = entry->key,
                                .value = std::move(record),
                                .count = {1, static_cast<std::int64_t>(entry->size)},
                                .when = store::KeyWrite::When::absent});
      return true;
    };
    DINETTE_TRY(const auto written, store_.write(table, key, decide));
    return written.outcome;
  }

  void mark_filled(api::TableRecord& record) const {
    for (api::TableSettings* settings :
         {&record.settings, record.transition ? &record.transition->settings : &record.settings}) {
      note_filled(settings->global_secondary_indexes, index_);
      note_filled(settings->vector_indexes, index_);
    }
  }

  store::Store& store_;
  const std::string name_;
  const store::TableId table_;
  const store::IndexId index_;
  std::string last_key_;
};

}  // namespace

void build_index(store::Store& store, base::Jobs& jobs, const store::Table& table, store::IndexId index) {
  const std::string key = "index " + std::to_string(index) + " of table " + std::to_string(table.id);
  run_task(jobs, Pace::quick, key, std::make_shared<IndexBuild>(store, table, index));
}

}  // namespace dinette::dynamodb
