#include "cql/data/row_scan.h"

#include <algorithm>
#include <utility>

#include "cql/data/merge.h"

namespace dinette::cql::data {
namespace {

using store::Direction;

base::Failure<kv::Error> corrupt_key() {
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "corrupt key of a row"}};
}

// Storage partitions of a table: each has as much of the ring as the others
// (docs/service-keyspaces/capacity.md section 2).
constexpr std::uint64_t storage_partitions = 4;
constexpr int bits_in_storage_partition = 62;

/// Returns the place on the ring where a bound of a range of keys is: of a shorter one what follows is 0.
std::uint64_t place_on_ring(std::string_view bound) {
  std::string hash(bound.substr(0, store::partition_hash_size));
  hash.resize(store::partition_hash_size);
  return store::hash_at(hash);
}

/// Greater than all keys of a partition.
std::string after_partition(std::string_view prefix) {
  return std::string(prefix) + '\2';
}

/// Turns parts of keys into whole keys.
std::vector<Slice> whole_keys(std::string_view prefix, std::vector<Slice> slices) {
  const std::string rows = rows_prefix(prefix);
  for (Slice& slice : slices) {
    slice.range.begin.insert(0, rows);
    slice.range.end = slice.range.end.empty() ? after_partition(prefix) : rows + slice.range.end;
  }
  return slices;
}

/// Leaves of slices what follows a key.
void continue_after(std::vector<Slice>& slices, std::string_view key, Direction direction) {
  std::erase_if(slices, [&](const Slice& slice) {
    return direction == Direction::forward ? slice.range.end <= key : slice.range.begin > key;
  });
  if (slices.empty() || !slices.front().range.contains(key)) return;
  if (slices.front().is_row) {
    slices.erase(slices.begin());
  } else {
    slices.front().range.start_after(key, direction);
  }
}

}  // namespace

kv::Result<RowScan> RowScan::of_partition(const ScanSource& source, PartitionRead read,
                                          const ReadPosition* after) {
  RowScan scan(source);
  scan.one_partition_ = true;
  scan.with_statics_ = read.with_statics;
  scan.direction_ = read.direction;
  scan.slices_ = whole_keys(read.prefix, std::move(read.slices));
  if (after != nullptr) continue_after(scan.slices_, after->key, read.direction);
  std::ranges::reverse(scan.slices_);  // the next one last
  DINETTE_CHECK(scan.begin_partition(partition_record_key(read.prefix)));
  scan.found_rows_ = after != nullptr && after->found_rows;
  return scan;
}

kv::Result<RowScan> RowScan::of_partitions(const ScanSource& source, const store::KeyRange& range,
                                           const ReadPosition* after) {
  RowScan scan(source);
  store::KeyRange rest = range;
  constexpr std::uint64_t last_place = (std::uint64_t{1} << bits_in_storage_partition) - 1;
  const std::uint64_t first = place_on_ring(range.begin);
  scan.storage_partition_ = (first >> bits_in_storage_partition) + ((first & last_place) == 0 ? 0 : 1);
  scan.end_of_storage_ =
      range.end.empty() ? storage_partitions : place_on_ring(range.end) >> bits_in_storage_partition;
  if (after != nullptr) {
    scan.storage_partition_ = (place_on_ring(after->key) >> bits_in_storage_partition) + 1;
    rest.start_after(after->key, Direction::forward);
    DINETTE_CHECK(scan.begin_partition(after->key));
    scan.found_rows_ = after->found_rows || after->key == after_partition(scan.prefix_);
  }
  DINETTE_TRY(scan.cursor_, source.view->scan(*source.stored, store::Area::rows(), rest, Direction::forward));
  return scan;
}

kv::Result<bool> RowScan::next() {
  for (;;) {
    DINETTE_TRY(const bool more, next_record());
    const bool same = more && in_partition_ && std::string_view(record_key_).starts_with(prefix_);
    if (in_partition_ && !same) {
      pending_ = more;
      if (end_partition()) return true;
    }
    if (!more) {
      if (!one_partition_) pass_storage_partitions(end_of_storage_);
      return false;
    }
    if (!same) DINETTE_CHECK(begin_partition(record_key_));
    pending_ = false;
    DINETTE_TRY(const bool visible, take_record());
    if (visible) return true;
  }
}

kv::Result<bool> RowScan::next_record() {
  if (std::exchange(pending_, false)) return true;
  if (one_partition_) return next_of_slice();
  if (std::exchange(skipping_, false) && in_partition_) {
    DINETTE_TRY(const bool found, cursor_->seek(after_partition(prefix_)));
    if (!found) return false;
  } else {
    DINETTE_TRY(const bool found, cursor_->next());
    if (!found) return false;
  }
  record_key_ = cursor_->key();
  record_ = cursor_->shared_value();
  return true;
}

/// Of one partition: goes on with the cursor, or with the next slice.
kv::Result<bool> RowScan::next_of_slice() {
  for (;;) {
    if (skipping_) return false;
    if (cursor_) {
      DINETTE_TRY(const bool found, cursor_->next());
      if (found) {
        record_key_ = cursor_->key();
        record_ = cursor_->shared_value();
        return true;
      }
      cursor_.reset();
    }
    if (slices_.empty()) return false;
    const Slice slice = std::move(slices_.back());
    slices_.pop_back();
    if (!slice.is_row) {
      DINETTE_TRY(cursor_, view_->scan(*stored_, store::Area::rows(), slice.range, direction_));
      continue;
    }
    DINETTE_TRY(auto value, view_->read(*stored_, slice.range.begin));
    if (!value) continue;
    record_key_ = slice.range.begin;
    record_ = *std::move(value);
    return true;
  }
}

kv::Result<void> RowScan::begin_partition(std::string_view key) {
  if (!read_key(*table_, key, *key_)) return base::Failure{corrupt_key()};
  prefix_ = key.substr(0, key_->prefix_size);
  in_partition_ = true;
  ++partitions_;
  found_rows_ = false;
  skipping_ = false;
  partition_ = {};
  partition_value_ = {};
  units_.begin_partition();
  if (!one_partition_) pass_storage_partitions(place_on_ring(key) >> bits_in_storage_partition);
  // In a scan of several partitions this record comes first, if there is one.
  if (record_ && record_key_ == key && key.back() == '\0') return {};
  // Static cells, and deletions of several rows, are only of partitions with several rows.
  if (table_->clustering_size() == 0) return {};
  DINETTE_TRY(auto value, view_->read(*stored_, partition_record_key(prefix_)));
  if (value) DINETTE_CHECK(take_partition(*std::move(value)));
  return {};
}

bool RowScan::end_partition() {
  in_partition_ = false;
  skipping_ = false;
  units_.end_partition();
  if (found_rows_ || !with_statics_ || partition_.statics.empty()) return false;
  position_ = after_partition(prefix_);
  has_row_ = false;
  return true;
}

kv::Result<bool> RowScan::take_record() {
  if (record_key_.size() == prefix_.size() + 1 && record_key_.back() == '\0') {
    DINETTE_CHECK(take_partition(std::move(record_)));
    return false;
  }
  count(record_key_, record_.view());
  row_value_ = std::move(record_);
  DINETTE_TRY(row_, decode_row(row_value_.view()));
  row_bytes_ = units_.add_row(key_->partition, row_);
  const std::string_view part = std::string_view(record_key_).substr(prefix_.size() + 1);
  if (!keep_visible(row_, partition_.deletion_of(part), now_)) return false;
  position_ = record_key_;
  has_row_ = true;
  found_rows_ = true;
  return true;
}

kv::Result<void> RowScan::take_partition(kv::Value value) {
  partition_value_ = std::move(value);
  count({}, partition_value_.view());
  DINETTE_TRY(partition_, decode_partition(partition_value_.view()));
  units_.add_statics(key_->partition, partition_.statics);
  keep_visible(partition_.statics, partition_.deletion, now_);
  return {};
}

void RowScan::pass_storage_partitions(std::uint64_t next) {
  if (next > storage_partition_) units_.add_empty(next - storage_partition_);
  storage_partition_ = std::max(storage_partition_, next + 1);
}

void RowScan::count(std::string_view key, std::string_view value) {
  if (!key.empty()) ++records_read_;
  bytes_read_ += key.size() + value.size();
}

}  // namespace dinette::cql::data
