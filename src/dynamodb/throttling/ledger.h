#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/store/catalog.h"
#include "dinette/store/placement.h"

#include "dynamodb/throttling/stock.h"
#include "dynamodb/throttling/supply.h"
#include "dynamodb/throttling/token_bucket.h"

namespace dinette::dynamodb::throttling {

/// Names a table, or with its number one of its global indexes.
struct Holder {
  store::TableId table = 0;
  store::IndexId index = 0;

  auto operator<=>(const Holder&) const = default;
};

/// What all tables and indexes of a world have left to give. Looking takes nothing. What is full, and no
/// other than a new one, is forgotten, so that memory is bounded by what was used lately and by the
/// partitions that were split. Thread-safe.
class Ledger {
 public:
  /// Returns what has run out of a table or index as a whole, if it has not the least that a call can cost.
  std::optional<Limit> look(const Holder& holder, const Supply& supply, Axis axis, double least,
                            base::TimePoint now);

  /// Returns true if the partition of `hash` has as much.
  bool look_at_partition(const Holder& holder, const Supply& supply, store::PartitionHash hash, Axis axis,
                         double least, base::TimePoint now);

  /// Takes units of the whole and of the partition.
  void take(const Holder& holder, const Supply& supply, store::PartitionHash hash, Axis axis, double units,
            base::TimePoint now);

  /// Must be called before `supply` changes, so that the buckets refill by it until
  /// then.
  void settle(const Holder& holder, const Supply& supply, base::TimePoint now);

  /// Takes one call of the control plane. Returns false if the account has none left.
  bool take_control_call(std::string_view account, base::TimePoint now);

  /// Forgets a table and its indexes.
  void forget(store::TableId table);

  /// Returns the number of tables and indexes that are remembered.
  std::size_t size() const;

 private:
  /// Returns the stock of `holder`, up to date.
  Stock& stock(const Holder& holder, const Supply& supply, base::TimePoint now);
  void forget_the_rested(base::TimePoint now);

  mutable std::mutex mutex_;
  std::map<Holder, Stock> stocks_;
  std::map<std::string, TokenBucket, std::less<>> control_;  ///< by account
  std::size_t crowd_ = 64;  ///< so many stocks are looked through for those to forget
};

}  // namespace dinette::dynamodb::throttling
