#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Checks that a recorded history of concurrent transactions could have happened one after the other, each at
/// a moment between its beginning and its end (strict serializability). The transactions append unique
/// numbers to lists and read whole lists, from which the order of the writes of each list follows: the method
/// of Elle (Kingsbury and Alvaro, 2020), for lists only.
namespace test {

struct AppendTransaction {
  struct Append {
    int list;
    int number;  ///< unique in its list
  };
  struct Read {
    int list;
    std::vector<int> numbers;  ///< as they were before this transaction's own appends
  };

  std::int64_t begin = 0;  ///< by any clock that all transactions share
  std::int64_t end = 0;
  bool committed = true;  ///< else it was refused, and none of its appends may be seen
  std::vector<Read> reads = {};
  std::vector<Append> appends = {};
};

/// Returns what cannot be, in words, or nothing if the history is strictly serializable. Every append of a
/// committed transaction must be in some read.
std::optional<std::string> find_anomaly(std::span<const AppendTransaction> history);

}  // namespace test
