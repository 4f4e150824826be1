#include "dynamodb/verify/verify_table.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/codec/attribute_cursor.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/indexes/expiry_entry.h"
#include "dynamodb/indexes/vector_entry.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_text.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/write_plan.h"

namespace dinette::dynamodb {
namespace {

using store::Area;
using store::Count;
using store::Direction;

kv::Result<model::Item> read_item(std::string_view record) {
  std::vector<std::string> names;
  codec::AttributeCursor attributes(record);
  while (attributes.next()) names.emplace_back(attributes.name());
  if (attributes.corrupt()) return base::Failure{codec::corrupt_record()};
  return codec::read_attributes(record, names);
}

Count count_of(std::string_view record) {
  return {1, static_cast<std::int64_t>(codec::record_size(record))};
}

/// The bytes of counted partitions: as they are kept, next to what the rows, which come in the same order,
/// add up to.
class PartitionsVerification {
 public:
  PartitionsVerification(const std::string& table, store::RowCursor kept, Findings& findings)
      : table_(table), kept_(std::move(kept)), findings_(findings) {}

  kv::Result<void> add(std::string_view partition, std::int64_t bytes) {
    if (partition != partition_) {
      DINETTE_CHECK(settle());
      partition_ = partition;
      bytes_ = 0;
    }
    bytes_ += bytes;
    return {};
  }

  /// Must be called after the last row.
  kv::Result<void> finish() {
    DINETTE_CHECK(settle());
    while (!at_end_) {
      compare(0);
      DINETTE_CHECK(advance());
    }
    return {};
  }

 private:
  kv::Result<void> settle() {
    if (!started_) {
      started_ = true;
      return advance();
    }
    while (!at_end_ && kept_.key() < partition_) {
      compare(0);
      DINETTE_CHECK(advance());
    }
    if (!at_end_ && kept_.key() == partition_) {
      compare(bytes_);
      return advance();
    }
    findings_.compare(what(), 0, bytes_);
    return {};
  }

  kv::Result<void> advance() {
    DINETTE_TRY(const bool more, kept_.next());
    at_end_ = !more;
    return {};
  }

  void compare(std::int64_t found) {
    findings_.compare(what(), store::partition_bytes_in(kept_.value()), found);
  }

  std::string what() const { return "the bytes of an item collection of " + table_; }

  const std::string& table_;
  store::RowCursor kept_;
  Findings& findings_;
  bool started_ = false;
  bool at_end_ = false;
  std::string partition_;
  std::int64_t bytes_ = 0;
};

class TableCheck {
 public:
  TableCheck(const store::View& view, const store::Table& table, Findings& findings)
      : view_(view), table_(table), schema_(table.schema_as<TableSchema>()), findings_(findings) {}

  void run() {
    findings_.fault_unless(verify_rows(), "the table " + table_.name);
    for (const IndexSchema& index : schema_.indexes())
      findings_.fault_unless(verify_index(index), name_of(index));
    findings_.fault_unless(verify_unknown_indexes(), "what is left of deleted indexes of " + table_.name);
    findings_.fault_unless(verify_expiry(), "the times to live of " + table_.name);
    findings_.fault_unless(verify_versions(), "the former values of items of " + table_.name);
  }

 private:
  std::string name_of(const IndexSchema& index) const {
    return "the index " + index.name + " of " + table_.name;
  }

  std::string in_table(const std::string& key) const { return "the item " + key + " of " + table_.name; }

  kv::Result<void> verify_rows() {
    DINETTE_TRY(auto partition_counters, view_.scan_partition_bytes(table_));
    PartitionsVerification partitions(table_.name, std::move(partition_counters), findings_);
    DINETTE_TRY(auto rows, view_.scan(table_, Area::rows(), {}, Direction::forward));
    Count found;
    for (;;) {
      DINETTE_TRY(const bool more, rows.next());
      if (!more) break;
      ++findings_.verified.items;
      findings_.advance();
      found += count_of(rows.value());
      const auto item = read_item(rows.value());
      if (!item) {
        findings_.fault("an item of " + table_.name + " cannot be read: its record is corrupt");
        continue;
      }
      DINETTE_TRY(const std::int64_t bytes, verify_item(rows, *item));
      const std::string_view partition = schema_.counted_partition(rows.key());
      if (!partition.empty()) DINETTE_CHECK(partitions.add(partition, bytes));
    }
    DINETTE_CHECK(partitions.finish());
    DINETTE_TRY(const Count counted, view_.count(table_));
    compare("the table " + table_.name, counted, found);
    return {};
  }

  /// Returns what the item adds to the bytes of its partition.
  kv::Result<std::int64_t> verify_item(const store::RowCursor& row, const model::Item& item) {
    const ItemImage image{row.shared_value(), &item};
    if (!check_key_of_item(schema_, item)) {
      findings_.fault("an item of " + table_.name + " lacks its key");
      return std::int64_t{0};
    }
    const std::string name = key_text(schema_, item);
    if (encode_key(schema_, item) != row.key())
      findings_.fault(in_table(name) + " is not where its key says");
    if (codec::make_record(item, model::size_in_bytes(item)).view() != row.value())
      findings_.fault(in_table(name) + " is not kept as it would be written");
    WritePlan plan = plan_write(schema_, {}, image);
    DINETTE_CHECK(update_expiry(plan.change, schema_, row.key(), {}, image));
    for (const store::KeyWrite& entry : plan.change.entries) DINETTE_CHECK(verify_entry(name, entry));
    return plan.change.partition_bytes;
  }

  kv::Result<void> verify_entry(const std::string& name, const store::KeyWrite& entry) {
    DINETTE_TRY(const auto kept, view_.read(table_, entry.key, entry.area));
    if (entry.area.space == store::Space::expiry) {
      if (kept) {
        ++expiring_;
      } else if (!schema_.record().time_to_live->filling) {
        findings_.fault(in_table(name) + " has a time to live, but no entry that makes it expire");
      }
      return {};
    }
    const IndexSchema& index = index_of(entry.area.number);
    if (!kept) {
      if (!index.building) findings_.fault(in_table(name) + " has no entry in " + name_of(index));
      return {};
    }
    entries_[index.id] += entry.count;
    if (kept->view() != entry.value.view())
      findings_.fault(in_table(name) + " has another entry in " + name_of(index) + " than it should");
    return {};
  }

  const IndexSchema& index_of(store::IndexId id) const {
    return *std::ranges::find(schema_.indexes(), id, &IndexSchema::id);
  }

  kv::Result<void> verify_index(const IndexSchema& index) {
    DINETTE_TRY(auto entries, view_.scan(table_, Area::of_index(index.id), {}, Direction::forward));
    Count found;
    for (;;) {
      DINETTE_TRY(const bool more, entries.next());
      if (!more) break;
      ++findings_.verified.index_entries;
      findings_.advance();
      found += count_of(record_in_entry(index, entries.value()));
    }
    // Every entry that an item should have was looked up, so more entries than those belong to no item.
    const std::int64_t stray = found.rows - entries_[index.id].rows;
    if (stray > 0)
      findings_.fault(name_of(index) + " has entries that belong to no item: " + std::to_string(stray));
    DINETTE_TRY(const Count counted, view_.count(table_, index.id));
    compare(name_of(index), counted, found);
    return {};
  }

  kv::Result<void> verify_unknown_indexes() {
    for (store::IndexId id = 1; id <= static_cast<store::IndexId>(schema_.record().last_index_id); ++id) {
      if (std::ranges::find(schema_.indexes(), id, &IndexSchema::id) != schema_.indexes().end()) continue;
      DINETTE_TRY(auto entries, view_.scan(table_, Area::of_index(id), {}, Direction::forward));
      DINETTE_TRY(const bool any, entries.next());
      if (any) findings_.fault("there are entries of a deleted index of " + table_.name);
    }
    return {};
  }

  kv::Result<void> verify_expiry() {
    DINETTE_TRY(auto entries, view_.scan(table_, Area::expiry(), {}, Direction::forward));
    std::int64_t found = 0;
    for (;;) {
      DINETTE_TRY(const bool more, entries.next());
      if (!more) break;
      ++found;
      findings_.advance();
    }
    if (found > expiring_)
      findings_.fault("there are entries of " + table_.name +
                      " that make items expire and belong to none: " + std::to_string(found - expiring_));
    return {};
  }

  kv::Result<void> verify_versions() {
    if (schema_.keeps_versions()) return {};
    DINETTE_TRY(auto versions, view_.scan(table_, Area::versions(), {}, Direction::forward));
    DINETTE_TRY(const bool any, versions.next());
    if (any) findings_.fault("there are former values of items of " + table_.name + ", which needs none");
    return {};
  }

  void compare(const std::string& what, const Count& counted, const Count& found) {
    findings_.compare("the number of " +
                          std::string(what == "the table " + table_.name ? "items of " : "entries of ") +
                          what,
                      counted.rows, found.rows);
    findings_.compare("the bytes of " + what, counted.bytes, found.bytes);
  }

  const store::View& view_;
  const store::Table& table_;
  const TableSchema& schema_;
  Findings& findings_;
  std::map<store::IndexId, Count> entries_;  ///< those that the items should have and have
  std::int64_t expiring_ = 0;                ///< the same of the entries of the time to live
};

}  // namespace

void verify_table(const store::View& view, const store::Table& table, Findings& findings) {
  TableCheck(view, table, findings).run();
}

}  // namespace dinette::dynamodb
