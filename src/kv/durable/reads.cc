#include "kv/durable/reads.h"

#include <string>
#include <utility>
#include <vector>

#include <rocksdb/snapshot.h>

#include "dinette/base/waiting.h"

#include "kv/durable/status.h"

namespace dinette::kv::durable {
namespace {

rocksdb::ReadOptions read_options(const rocksdb::Snapshot* snapshot) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  options.read_tier = base::may_wait() ? rocksdb::kReadAllTier : rocksdb::kBlockCacheTier;
  return options;
}

Result<std::optional<Value>> value_of(const rocksdb::Status& status, const rocksdb::PinnableSlice& bytes) {
  if (status.IsNotFound()) return std::optional<Value>();
  DINETTE_CHECK(checked(status));
  return std::optional(Value(bytes.ToStringView()));
}

Result<std::optional<Value>> read_with(const rocksdb::ReadOptions& options, const Database& database,
                                       std::string_view key) {
  rocksdb::PinnableSlice bytes;
  return value_of(database.db().Get(options, database.entries(), key, &bytes), bytes);
}

/// Reads a key on a thread that must not wait for the disk. Get() alone does not suffice: of a key whose file
/// is not open it says that it has an empty value.
Result<std::optional<Value>> read_in_memory(const Database& database, std::string_view key,
                                            const rocksdb::Snapshot* snapshot) {
  const rocksdb::ReadOptions options = read_options(snapshot);
  std::string bytes;
  bool found = false;
  const bool may_exist = database.db().KeyMayExist(options, database.entries(), key, &bytes, &found);
  if (!may_exist) return read_with(options, database, key);  // it is absent, or there is an error
  if (found) return std::optional(Value(bytes));
  return base::Failure{Error{ErrorKind::would_block, "the value is not in memory"}};
}

Result<Values> read_many_waiting(const Database& database, std::span<const std::string_view> keys,
                                 const rocksdb::Snapshot* snapshot) {
  std::vector<rocksdb::Slice> slices;
  slices.reserve(keys.size());
  for (const std::string_view key : keys) slices.emplace_back(key);
  std::vector<rocksdb::PinnableSlice> bytes(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  database.db().MultiGet(read_options(snapshot), database.entries(), keys.size(), slices.data(), bytes.data(),
                         statuses.data());
  Values values;
  values.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    DINETTE_TRY(auto value, value_of(statuses[i], bytes[i]));
    values.push_back(std::move(value));
  }
  return values;
}

class DatabaseCursor final : public Cursor {
 public:
  DatabaseCursor(const Database& database, Range range, std::shared_ptr<const void> owner,
                 const rocksdb::Snapshot* snapshot)
      : owner_(std::move(owner)),
        begin_(range.begin),
        end_(range.end),
        begin_slice_(begin_),
        end_slice_(end_),
        empty_(!end_.empty() && begin_ >= end_) {
    rocksdb::ReadOptions options = read_options(snapshot);
    options.iterate_lower_bound = &begin_slice_;
    if (!end_.empty()) options.iterate_upper_bound = &end_slice_;
    iterator_.reset(database.db().NewIterator(options, database.entries()));
  }

  Result<bool> first() override {
    return moved([this] { iterator_->SeekToFirst(); });
  }
  Result<bool> last() override {
    return moved([this] { iterator_->SeekToLast(); });
  }
  Result<bool> seek(std::string_view key) override {
    return moved([this, key] { iterator_->Seek(std::max<std::string_view>(key, begin_)); });
  }
  Result<bool> seek_for_previous(std::string_view key) override {
    if (!end_.empty() && key >= end_) return last();
    return moved([this, key] { iterator_->SeekForPrev(key); });
  }
  Result<bool> next() override {
    if (!valid_) return false;
    return moved([this] { iterator_->Next(); });
  }
  Result<bool> previous() override {
    if (!valid_) return false;
    return moved([this] { iterator_->Prev(); });
  }

  bool valid() const override { return valid_; }
  std::string_view key() const override { return iterator_->key().ToStringView(); }
  std::string_view value() const override { return iterator_->value().ToStringView(); }
  Value shared_value() const override { return Value(value()); }

 private:
  template <class Move>
  Result<bool> moved(Move move) {
    valid_ = false;
    if (empty_) return false;
    move();
    valid_ = iterator_->Valid();
    if (!valid_) DINETTE_CHECK(checked(iterator_->status()));
    return valid_;
  }

  std::shared_ptr<const void> owner_;  ///< destroyed after the iterator
  const std::string begin_;
  const std::string end_;
  const rocksdb::Slice begin_slice_;
  const rocksdb::Slice end_slice_;
  const bool empty_;
  bool valid_ = false;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

class DatabaseSnapshot final : public Snapshot, public std::enable_shared_from_this<DatabaseSnapshot> {
 public:
  explicit DatabaseSnapshot(std::shared_ptr<const Database> database)
      : database_(std::move(database)), snapshot_(database_->db().GetSnapshot()) {}
  ~DatabaseSnapshot() override { database_->db().ReleaseSnapshot(snapshot_); }

  Result<std::optional<Value>> get(std::string_view key) const override {
    return read(*database_, key, snapshot_);
  }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    return read_many(*database_, keys, snapshot_);
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    return make_cursor(*database_, range, shared_from_this(), snapshot_);
  }

 private:
  std::shared_ptr<const Database> database_;
  const rocksdb::Snapshot* snapshot_;
};

}  // namespace

Result<std::optional<Value>> read(const Database& database, std::string_view key,
                                  const rocksdb::Snapshot* snapshot) {
  if (!base::may_wait()) return read_in_memory(database, key, snapshot);
  return read_with(read_options(snapshot), database, key);
}

Result<Values> read_many(const Database& database, std::span<const std::string_view> keys,
                         const rocksdb::Snapshot* snapshot) {
  if (base::may_wait()) return read_many_waiting(database, keys, snapshot);
  // MultiGet() reads from the disk regardless of its options.
  rocksdb::ManagedSnapshot present(&database.db());
  Values values;
  values.reserve(keys.size());
  for (const std::string_view key : keys) {
    DINETTE_TRY(auto value,
                read_in_memory(database, key, snapshot != nullptr ? snapshot : present.snapshot()));
    values.push_back(std::move(value));
  }
  return values;
}

std::unique_ptr<Cursor> make_cursor(const Database& database, Range range, std::shared_ptr<const void> owner,
                                    const rocksdb::Snapshot* snapshot) {
  return std::make_unique<DatabaseCursor>(database, range, std::move(owner), snapshot);
}

std::shared_ptr<const Snapshot> make_snapshot(std::shared_ptr<const Database> database) {
  return std::make_shared<DatabaseSnapshot>(std::move(database));
}

}  // namespace dinette::kv::durable
