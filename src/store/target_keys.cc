#include "store/target_keys.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/bytes.h"

#include "store/partition_bytes.h"
#include "store/stamp.h"

namespace dinette::store {
namespace {

kv::Value value_or_null(std::optional<kv::Value>&& value) {
  return value ? *std::move(value) : kv::Value();
}

/// Appends the keys of a range to `keys`, without their first `key_offset` bytes: up to `limit`, if that is
/// not 0.
kv::Result<void> read_range(const kv::Reader& reader, kv::Range range, std::size_t key_offset,
                            std::size_t limit, std::vector<KeyAndValue>& keys) {
  DINETTE_TRY(const auto cursor, reader.cursor(range));
  DINETTE_TRY(bool more, cursor->first());
  for (std::size_t count = 0; more && (limit == 0 || count < limit); ++count) {
    keys.push_back({std::string(cursor->key().substr(key_offset)), cursor->shared_value()});
    DINETTE_TRY(more, cursor->next());
  }
  return {};
}

}  // namespace

TargetKeys::Row::Row(KeyOwner owner, const WriteTarget& target)
    : key(EngineKey::area(owner, target.table ? target.table->id : no_table, target.area)) {
  key.append(target.key);
}

TargetKeys::Stamp::Stamp(std::uint8_t face, const Table& of_table, std::size_t of_target)
    : key(EngineKey::stamp(face, of_table.id)), table(&of_table), target(of_target) {}

TargetKeys::TargetKeys(KeyOwner owner, std::span<const WriteTarget> targets)
    : owner_(owner), targets_(targets) {
  // The locks are views of the keys, so no key may move.
  rows_.reserve(targets.size());
  stamps_.reserve(targets.size());
  for (const WriteTarget& target : targets) {
    Row& row = rows_.emplace_back(owner, target);
    locks_.push_back({row.key.view()});
    several_keys_ |= target.several_keys || !target.keys.empty();
    if (!target.table) continue;
    add_table(*target.table, rows_.size() - 1);
    add_partition(*target.table, row, target.key);
  }
  for (const Row& row : rows_) reads_.push_back(row.key.view());
  for (const Stamp& stamp : stamps_) reads_.push_back(stamp.key.view());
  for (const EngineKey& partition : partitions_) reads_.push_back(partition.view());
}

void TargetKeys::add_table(const Table& table, std::size_t target) {
  const auto same = [&](const Stamp& stamp) {
    return stamp.table->id == table.id && stamp.table->version == table.version;
  };
  if (std::ranges::any_of(stamps_, same)) return;
  const Stamp& stamp = stamps_.emplace_back(owner_.face, table, target);
  locks_.push_back({stamp.key.view().substr(0, EngineKey::table_size), kv::Lock::Mode::shared});
}

void TargetKeys::add_partition(const Table& table, Row& row, std::string_view row_key) {
  auto counter = partition_counter(owner_.face, table, row_key);
  if (!counter) return;
  const auto found = std::ranges::find(partitions_, counter->view(), &EngineKey::view);
  row.partition = static_cast<std::size_t>(found - partitions_.begin());
  if (found != partitions_.end()) return;
  partitions_.reserve(targets_.size());
  partitions_.push_back(*std::move(counter));
  locks_.push_back({partitions_.back().view()});
}

kv::Result<void> TargetKeys::read(const kv::Engine& engine, std::span<FoundRow> rows) const {
  if (!several_keys_) return read_values(engine, rows);
  DINETTE_TRY(const auto snapshot, engine.snapshot());
  DINETTE_CHECK(read_values(*snapshot, rows));
  return read_keys(*snapshot, rows);
}

kv::Result<void> TargetKeys::read(const kv::Transaction& transaction, std::span<FoundRow> rows) const {
  DINETTE_CHECK(read_values(transaction, rows));
  if (!several_keys_) return {};
  return read_keys(transaction, rows);
}

template <class Source>
kv::Result<void> TargetKeys::read_values(const Source& source, std::span<FoundRow> rows) const {
  if (size() == 1) {
    DINETTE_TRY(auto value, source.get(rows_[0].key.view()));
    rows[0].value = value_or_null(std::move(value));
    return {};
  }
  DINETTE_TRY(kv::Values values, source.get_many(reads().first(size())));
  take(std::move(values), rows);
  return {};
}

void TargetKeys::take(kv::Values values, std::span<FoundRow> rows) const {
  for (std::size_t i = 0; i < size(); ++i) rows[i].value = value_or_null(std::move(values[i]));
}

kv::Result<void> TargetKeys::read_keys(const kv::Reader& reader, std::span<FoundRow> rows) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const WriteTarget& target = targets_[i];
    if (!target.several_keys && target.keys.empty()) continue;
    const std::string_view key = rows_[i].key.view();
    const std::size_t offset = key.size() - target.key.size();
    rows[i].keys.clear();
    if (target.several_keys) {
      DINETTE_CHECK(read_range(reader, {key, base::prefix_end(key)}, offset, 0, rows[i].keys));
      continue;
    }
    const EngineKey area = EngineKey::area(owner_, target.table->id, target.area);
    for (const KeysToRead& wanted : target.keys) {
      if (wanted.range.empty()) continue;
      const EngineRange range(area, wanted.range);
      DINETTE_CHECK(read_range(reader, range.view(), offset, wanted.limit, rows[i].keys));
    }
  }
  return {};
}

kv::Result<std::optional<std::size_t>> TargetKeys::find_changed_table(
    const kv::Transaction& transaction) const {
  for (const Stamp& stamp : stamps_) {
    DINETTE_TRY(const auto version, transaction.get(stamp.key.view()));
    if (!version || read_stamp(version->view()) != stamp.table->version) return std::optional(stamp.target);
  }
  return std::optional<std::size_t>();
}

kv::Result<std::optional<std::size_t>> TargetKeys::grow_partitions(kv::Transaction& transaction,
                                                                   std::span<const RowChange> changes,
                                                                   std::int64_t max) const {
  for (std::size_t partition = 0; partition < partitions_.size(); ++partition) {
    const std::int64_t growth = growth_of(partition, changes);
    if (growth == 0) continue;
    const std::string_view counter = partitions_[partition].view();
    DINETTE_TRY(const std::int64_t before, decode_partition_bytes(transaction.get(counter)));
    if (growth > 0 && before + growth > max) {
      return std::optional(first_without_room(partition, changes, max - before));
    }
    put_partition_bytes(transaction.batch(), counter, before + growth);
  }
  return std::optional<std::size_t>();
}

std::int64_t TargetKeys::growth_of(std::size_t partition, std::span<const RowChange> changes) const {
  std::int64_t growth = 0;
  for (std::size_t target = 0; target < size(); ++target) {
    if (rows_[target].partition == partition) growth += changes[target].partition_bytes;
  }
  return growth;
}

/// Returns the target that takes a partition beyond `room`. There must be one.
std::size_t TargetKeys::first_without_room(std::size_t partition, std::span<const RowChange> changes,
                                           std::int64_t room) const {
  std::size_t target = 0;
  for (std::int64_t growth = 0; target < size(); ++target) {
    if (rows_[target].partition != partition) continue;
    const std::int64_t bytes = changes[target].partition_bytes;
    growth += bytes;
    if (bytes > 0 && growth > room) break;
  }
  return target;
}

}  // namespace dinette::store
