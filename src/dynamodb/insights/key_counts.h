#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dinette/observe/heavy_hitters.h"

#include "dynamodb/request/throughput.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// What a rule of contributor insights counts (docs/service/insights-policies-account.md section 1).
enum class CountedKeys : std::uint8_t {
  partitions_accessed,
  items_accessed,
  partitions_throttled,
  items_throttled,
};

/// A read or write of keys, or one that was throttled.
struct KeyUse {
  const Throughput& of;
  bool throttled = false;
  bool of_item = false;  ///< the key is that of one item
};

/// The keys that the tables of a world are accessed by most, of tables with contributor insights, since the
/// process began. Bounded: the most frequent `kept` keys per rule. Thread-safe.
class KeyCounts {
 public:
  static constexpr std::size_t kept = 200;

  /// Counts a use if insights are enabled there.
  void note(const KeyUse& use);

  /// Returns the keys that occurred most often, in descending order.
  std::vector<observe::HeavyHitters::Hitter> top(store::TableId table, store::IndexId index, CountedKeys keys,
                                                 std::size_t most) const;
  void forget(store::TableId table);

 private:
  using Rule = std::tuple<store::TableId, store::IndexId, CountedKeys>;

  void add(const Rule& rule, std::string_view key);

  mutable std::mutex mutex_;
  std::map<Rule, observe::HeavyHitters> counts_;
};

}  // namespace dinette::dynamodb
