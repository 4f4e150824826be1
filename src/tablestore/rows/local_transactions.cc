#include "tablestore/rows/local_transactions.h"

#include <functional>
#include <utility>

#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"
#include "tablestore/rows/row_key.h"

namespace dinette::tablestore {

LocalTransactions& LocalTransactions::of(tenancy::World& world) {
  const auto make = []() -> std::unique_ptr<tenancy::FaceState> {
    return std::make_unique<LocalTransactions>();
  };
  return static_cast<LocalTransactions&>(world.state(face_id, make));
}

/// The pass is counted before the look at the transactions, and these are there before the look at passes:
/// one of the two sees the other.
std::optional<LocalTransactions::Pass> LocalTransactions::enter(const Partition& partition,
                                                                base::TimePoint now) {
  Pass pass(writers_of(partition));
  if (count_.load() != 0 && has_holder(partition, now)) return std::nullopt;
  return pass;
}

LocalTransactions::Begun LocalTransactions::begin(const std::shared_ptr<LocalTransaction>& transaction,
                                                  base::TimePoint now) {
  if (has_holder(transaction->partition, now)) return Begun::locked;
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_free] = partitions_.try_emplace(transaction->partition, transaction->id);
    if (!is_free) return Begun::locked;
    entries_.insert_or_assign(transaction->id, Entry{transaction});
    count_.store(entries_.size());
  }
  std::atomic<std::uint32_t>& writers = writers_of(transaction->partition);
  for (std::uint32_t passed = writers.load(); passed != 0; passed = writers.load()) {
    if (!base::may_wait()) {
      end(*transaction);
      return Begun::busy;
    }
    writers.wait(passed);
  }
  return Begun::yes;
}

std::shared_ptr<LocalTransaction> LocalTransactions::take(std::string_view id, base::TimePoint now,
                                                          bool& busy) {
  busy = false;
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return nullptr;
  Entry& entry = found->second;
  if (entry.taken) {
    busy = true;
    return nullptr;
  }
  if (entry.transaction->ends <= now) {
    erase(found);
    return nullptr;
  }
  entry.taken = true;
  return entry.transaction;
}

void LocalTransactions::give_back(const LocalTransaction& transaction) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(transaction.id);
  if (found != entries_.end()) found->second.taken = false;
}

void LocalTransactions::end(const LocalTransaction& transaction) {
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(transaction.id); found != entries_.end()) erase(found);
}

bool LocalTransactions::has_holder(const Partition& partition, base::TimePoint now) {
  const std::lock_guard lock(mutex_);
  const auto holder = partitions_.find(partition);
  if (holder == partitions_.end()) return false;
  const auto entry = entries_.find(holder->second);
  if (entry == entries_.end()) return false;
  if (entry->second.taken || entry->second.transaction->ends > now) return true;
  erase(entry);
  return false;
}

void LocalTransactions::erase(Entries::iterator entry) {
  partitions_.erase(entry->second.transaction->partition);
  entries_.erase(entry);
  count_.store(entries_.size());
}

std::atomic<std::uint32_t>& LocalTransactions::writers_of(const Partition& partition) {
  return writers_[(std::hash<std::string>()(partition.second) ^ partition.first) % stripes];
}

Answer<LocalTransactions::Pass> pass_to_write(const Context& context, const store::Table& table,
                                              const Value& partition_key) {
  auto pass =
      LocalTransactions::of(context.world).enter({table.id, encode_partition(partition_key)}, context.now);
  if (!pass) return refuse::row_is_locked();
  return *std::move(pass);
}

}  // namespace dinette::tablestore
