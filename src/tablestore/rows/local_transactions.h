#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/store/catalog.h"
#include "dinette/tenancy/world.h"

#include "tablestore/request/context.h"
#include "tablestore/rows/read_target.h"
#include "tablestore/streams/stream_record.h"

namespace dinette::tablestore {

/// A partition of a table: the id of the table, and the partition key as the store's keys begin.
using Partition = std::pair<store::TableId, std::string>;

/// A local transaction that has neither ended nor timed out (tablestore/transactions.md). Used by one request
/// at a time.
struct LocalTransaction {
  std::string id;
  std::string table_name;
  Partition partition;
  std::string partition_text;  ///< as messages have it
  base::TimePoint ends;        ///< by the world's clock
  PendingRows rows = {};
  std::vector<RowRecord> records = {};  ///< what the stream of the table gets of them
  std::size_t bytes = 0;                ///< that were written
};

/// The local transactions of a world, each of which keeps others from writing to its partition. In memory
/// only: a restart ends them all. Thread-safe.
class LocalTransactions final : public tenancy::FaceState {
 public:
  static LocalTransactions& of(tenancy::World& world);

  /// Lets one write of rows of a partition pass. While it lives, no transaction on the partition has begun.
  class Pass {
   public:
    explicit Pass(std::atomic<std::uint32_t>& writers) : writers_(&writers) { ++*writers_; }
    Pass(Pass&& other) noexcept : writers_(std::exchange(other.writers_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (writers_ != nullptr && --*writers_ == 0) writers_->notify_all();
    }

   private:
    std::atomic<std::uint32_t>* writers_;
  };

  /// Returns nothing if a transaction has the partition.
  std::optional<Pass> enter(const Partition& partition, base::TimePoint now);

  enum class Begun : std::uint8_t {
    yes,
    locked,  ///< another one has the partition
    busy,    ///< rows of the partition are being written, and this thread may not wait
  };
  /// Begins a transaction, once writes that have passed are done.
  Begun begin(const std::shared_ptr<LocalTransaction>& transaction, base::TimePoint now);

  /// Takes a transaction for one request. Null if there is none of that id; `busy` says that another request
  /// has it.
  std::shared_ptr<LocalTransaction> take(std::string_view id, base::TimePoint now, bool& busy);
  /// Gives it back, for the next request.
  void give_back(const LocalTransaction& transaction);
  /// Ends one that was taken.
  void end(const LocalTransaction& transaction);

 private:
  struct Entry {
    std::shared_ptr<LocalTransaction> transaction;
    bool taken = false;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  bool has_holder(const Partition& partition, base::TimePoint now);
  std::atomic<std::uint32_t>& writers_of(const Partition& partition);
  void erase(Entries::iterator entry);

  static constexpr std::size_t stripes = 256;

  /// How many writes have a pass, by a hash of their partitions.
  std::array<std::atomic<std::uint32_t>, stripes> writers_{};
  std::mutex mutex_;
  std::atomic<std::size_t> count_ = 0;
  Entries entries_;                              ///< by id; guarded by mutex_
  std::map<Partition, std::string> partitions_;  ///< the ids of their holders; guarded by mutex_
};

/// Lets a write of rows pass, or fails with the conflict that clients retry: a transaction has their
/// partition. The pass is held until the rows are committed.
Answer<LocalTransactions::Pass> pass_to_write(const Context& context, const store::Table& table,
                                              const Value& partition_key);

}  // namespace dinette::tablestore
