#include "cql/data/row_write.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "cql/data/apply_change.h"
#include "cql/data/change_record.h"
#include "cql/data/record_change.h"
#include "cql/data/row_key.h"
#include "cql/data/row_size.h"

namespace dinette::cql::data {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

std::vector<std::string_view> views_of(std::span<const std::string> values) {
  return {values.begin(), values.end()};
}

bool reads_anything(const RowWrite& write) {
  const auto reads = [](const CellChange& change) { return change.reads(); };
  return write.tests || std::ranges::any_of(write.changes, reads) ||
         std::ranges::any_of(write.static_changes, reads);
}

Answer<void> check_row_size(std::size_t size) {
  if (size <= most_row_bytes) return {};
  return invalid("Row size of " + std::to_string(size) + " bytes exceeds the maximum of " +
                 std::to_string(most_row_bytes) + " bytes.");
}

Answer<void> check_static_size(std::size_t size) {
  if (size <= most_static_bytes) return {};
  return invalid("Static data size of " + std::to_string(size) + " bytes exceeds the maximum of " +
                 std::to_string(most_static_bytes) + " bytes for a partition.");
}

bool deletes_partition(const RowWrite& write) {
  return write.deletes && !write.has_row;
}

/// Returns true if the table has a stream of its changes.
bool captures(const RowWrite& write) {
  return write.table->options.cdc.open() != nullptr;
}

/// Several writes as one write of the store: the records that they read and change, each once.
class RowsWrite {
 public:
  RowsWrite(store::Store& store, std::span<const RowWrite> writes, Test test)
      : store_(store), writes_(writes), test_(test) {
    for (const RowWrite& write : writes) places_.push_back(place_of(write));
  }

  /// What was written, after run().
  void add_records(std::vector<WrittenRecord>& records) const {
    for (const Target& target : targets_) {
      if (!target.changes) continue;
      const bool is_gone = target.deletes || target.size_after.stored() == 0;
      const std::size_t former = is_gone ? target.size_before.metered() : 0;
      records.push_back({.is_row = target.is_row,
                         .number = static_cast<std::size_t>(target.write - writes_.data()),
                         .stored = target.size_after.stored(),
                         .metered = std::max(target.size_after.metered(), former),
                         .beside_other = target.beside_other});
    }
  }

  Answer<Written> run() {
    std::vector<store::WriteTarget> targets;
    for (const Target& target : targets_)
      targets.push_back(store::WriteTarget::row(*target.stored, target.key));
    const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
      return this->decide(rows, changes);
    };
    DINETTE_CQL_STORED(auto written, store_.write(targets, decide));
    switch (written.outcome) {
      case store::WriteOutcome::applied:
        return Written::applied;
      case store::WriteOutcome::table_changed:
        return Written::table_changed;
      case store::WriteOutcome::partition_full:
      case store::WriteOutcome::refused:
        break;
    }
    if (tested_) return Written::refused;
    return std::move(written.decision).failure();
  }

 private:
  /// A record of a row, or of a partition.
  struct Target {
    const store::Table* stored;
    const RowWrite* write;  ///< the first one
    std::string key;
    bool is_row;
    std::vector<std::string_view> partition;  ///< values of the key
    bool changes = false;
    bool deletes = false;       ///< the row, or the partition
    bool beside_other = false;  ///< see WrittenRecord
    // What it is by the last decision:
    Footprint before{};
    RowSize size_before{};
    RowSize size_after{};
    Row row{};
    Partition record{};         ///< of a partition
    std::optional<Row> seen{};  ///< before the writes, for the stream of the table
  };

  /// The records of a write, by their numbers.
  struct Records {
    std::size_t row = none;
    std::size_t partition = none;
  };

  Records place_of(const RowWrite& write) {
    Records records;
    const bool reads = reads_anything(write) || captures(write);
    if (write.has_row) {
      std::string key;
      key.reserve(write.prefix.size() + write.key_part.size() + 1);
      key = write.prefix;
      make_row_key(key, write.key_part);
      records.row = target(write, std::move(key), true);
      targets_[records.row].changes = true;
      targets_[records.row].deletes |= write.deletes;
    }
    const bool changes_partition = !write.static_changes.empty() || deletes_partition(write);
    if (changes_partition || reads) {
      records.partition = target(write, partition_record_key(write.prefix), false);
      targets_[records.partition].changes |= changes_partition;
      targets_[records.partition].deletes |= deletes_partition(write);
    }
    if (write.has_row && changes_partition) {
      targets_[records.row].beside_other = true;
      targets_[records.partition].beside_other = true;
    }
    return records;
  }

  std::size_t target(const RowWrite& write, std::string key, bool is_row) {
    if (const auto known = find_target(*write.stored, key)) return *known;
    if (writes_.size() > 1) by_key_.emplace(std::pair(write.stored->id, key), targets_.size());
    targets_.push_back({write.stored, &write, std::move(key), is_row, views_of(write.partition)});
    return targets_.size() - 1;
  }

  /// One write has few targets, which need no index.
  std::optional<std::size_t> find_target(const store::Table& stored, const std::string& key) const {
    if (writes_.size() > 1) {
      const auto found = by_key_.find({stored.id, key});
      return found != by_key_.end() ? std::optional(found->second) : std::nullopt;
    }
    const auto found = std::ranges::find(targets_, key, &Target::key);
    if (found == targets_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - targets_.begin());
  }

  Answer<void> decide(const store::Rows& rows, store::RowChanges changes) {
    tested_ = false;
    made_.clear();
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (const auto read = load(targets_[i], rows[i]); !read) return storage_failure(read.error());
    }
    if (std::ranges::any_of(writes_, &RowWrite::tests)) DINETTE_CHECK(test());
    for (Target& target : targets_) {
      if (captures(*target.write)) target.seen = image_of(target);
    }
    for (std::size_t i = 0; i < writes_.size(); ++i) DINETTE_CHECK(apply(writes_[i], places_[i]));
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].changes) DINETTE_CHECK(store_change(targets_[i], changes[i]));
    }
    return {};
  }

  static kv::Result<void> load(Target& target, const kv::Value* value) {
    target.before = {};
    target.size_before = target.size_after = {};
    target.row = {};
    target.record = {};
    target.seen.reset();
    if (value == nullptr) return {};
    if (target.is_row) {
      DINETTE_TRY(target.row, decode_row(value->view()));
    } else {
      DINETTE_TRY(target.record, decode_partition(value->view()));
    }
    target.before = footprint(target);
    target.size_before = size_of(target);
    return {};
  }

  static Footprint footprint(const Target& target) {
    const auto& partition = target.partition;
    return target.is_row ? footprint_of(partition, target.row) : footprint_of(partition, target.record);
  }

  /// What can be seen of a row, or of the static cells of a partition; nothing of what cannot.
  std::optional<Row> image_of(const Target& target) const {
    const Seconds now = target.write->rules.now;
    Row image;
    if (target.is_row) {
      image = target.row;
      const std::string rows = rows_prefix(target.write->prefix);
      const auto record = find_target(*target.stored, partition_record_key(target.write->prefix));
      Deletion deletion;
      if (record)
        deletion = targets_[*record].record.deletion_of(std::string_view(target.key).substr(rows.size()));
      if (!keep_visible(image, deletion, now)) return std::nullopt;
      image.deletion = {};
      return image;
    }
    image.cells = target.record.statics;
    keep_visible(image.cells, target.record.deletion, now);
    if (image.cells.empty()) return std::nullopt;
    return image;
  }

  Deletion deletion_of(const RowWrite& write, const Records& records) const {
    if (records.partition == none) return {};
    return targets_[records.partition].record.deletion_of(write.key_part);
  }

  SeenRow see(const RowWrite& write, const Records& records) const {
    SeenRow seen;
    if (records.row != none) {
      seen.row = targets_[records.row].row;
      seen.exists = keep_visible(seen.row, deletion_of(write, records), write.rules.now);
    }
    if (records.partition != none) {
      const Partition& partition = targets_[records.partition].record;
      seen.statics = partition.statics;
      keep_visible(seen.statics, partition.deletion, write.rules.now);
    }
    return seen;
  }

  /// Fails without a message if the conditions do not hold.
  Answer<void> test() {
    std::vector<SeenRow> seen;
    for (std::size_t i = 0; i < writes_.size(); ++i) seen.push_back(see(writes_[i], places_[i]));
    DINETTE_TRY(const bool holds, test_(seen));
    if (holds) return {};
    tested_ = true;
    return invalid("");
  }

  Answer<void> apply(const RowWrite& write, const Records& records) {
    const SeenRow seen = reads_anything(write) ? see(write, records) : SeenRow{};
    if (records.row != none) {
      Row& row = targets_[records.row].row;
      if (row.clustering.empty()) row.clustering = views_of(write.clustering);
      if (write.deletes) delete_row(row, {write.stamp.timestamp, write.rules.now}, write.rules);
      if (write.marks) mark_row(row, write.stamp, write.rules);
      ChangeWriter writer(row.cells, seen.row.cells, row.deletion, write, made_);
      for (const CellChange& change : write.changes) DINETTE_CHECK(writer.apply(change));
    }
    if (write.static_changes.empty() && !deletes_partition(write)) return {};
    Partition& partition = targets_[records.partition].record;
    if (deletes_partition(write))
      delete_partition(partition, {write.stamp.timestamp, write.rules.now}, write.rules);
    ChangeWriter writer(partition.statics, seen.statics, partition.deletion, write, made_);
    for (const CellChange& change : write.static_changes) DINETTE_CHECK(writer.apply(change));
    return {};
  }

  Answer<void> store_change(Target& target, store::RowChange& change) const {
    const RowWrite& write = *target.write;
    if (target.is_row)
      purge(target.row, write.rules);
    else
      purge(target.record, write.rules);
    const Footprint after = footprint(target);
    if (after.exists) target.size_after = size_of(target);
    const std::size_t size = target.size_after.stored();
    DINETTE_CHECK(target.is_row ? check_row_size(size) : check_static_size(size));
    kv::Value value;
    if (after.exists) value = target.is_row ? encode(target.row) : encode(target.record);
    change = record_change(target.key, target.is_row, target.before, after, std::move(value));
    if (captures(write)) add_to_stream(target, change);
    return {};
  }

  static RowSize size_of(const Target& target) {
    const RowWrite& write = *target.write;
    return target.is_row ? row_size(*write.table, write.sizes, target.partition, target.row)
                         : static_size(*write.table, target.partition, target.record.statics);
  }

  void add_to_stream(const Target& target, store::RowChange& change) const {
    const RowWrite& write = *target.write;
    ChangeRecord record{.of_statics = !target.is_row, .created = write.time, .partition = target.partition};
    if (target.is_row) record.clustering = views_of(write.clustering);
    const std::optional<Row> seen = image_of(target);
    auto made = change_of(*write.table, std::move(record), target.seen ? &*target.seen : nullptr,
                          seen ? &*seen : nullptr);
    if (made) change.records.push_back(*std::move(made));
  }

  store::Store& store_;
  const std::span<const RowWrite> writes_;
  Test test_;
  std::vector<Target> targets_;
  std::map<std::pair<store::TableId, std::string>, std::size_t> by_key_;  ///< of several writes
  std::vector<Records> places_;                                           ///< one per write
  // By the last decision:
  std::deque<std::string> made_;
  bool tested_ = false;  ///< and refused
};

}  // namespace

Answer<Written> write_rows(store::Store& store, std::span<const RowWrite> writes, Test test,
                           std::vector<WrittenRecord>& records) {
  RowsWrite write(store, writes, test);
  auto written = write.run();
  if (written) write.add_records(records);
  return written;
}

}  // namespace dinette::cql::data
