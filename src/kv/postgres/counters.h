#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/value.h"

#include "kv/postgres/rows.h"

/// Counters in parts: what a connection adds to a counter goes into the row of one of `counter_parts` parts,
/// so that commits that count the same do not wait for each other. A reader adds them up.
namespace dinette::kv::postgres {

constexpr std::int32_t counter_parts = 16;

/// Returns the slot of a part of counter `index` of an array, for the connection `lane`.
constexpr std::int32_t counter_slot(std::size_t index, std::int32_t lane) {
  return 1 + static_cast<std::int32_t>(index) * counter_parts + lane % counter_parts;
}

/// The rows of one key, put together.
class FoundEntry {
 public:
  /// Columns of one row, from the one with its slot: slot, version, n, value.
  void add_row(const Rows& rows, int row, int first_column);
  /// The same without the version.
  void add_row(std::int32_t slot, std::int64_t n, bool has_value, std::string_view value);

  bool present() const { return present_; }
  /// Returns true if parts of counters are among the rows.
  bool counted() const { return !sums_.empty(); }
  /// Returns the value; null if there was no row.
  Value value() &&;
  /// Returns by what the rows are known again: 0 if there was none.
  std::uint64_t digest() const { return digest_; }

 private:
  bool present_ = false;
  std::uint64_t digest_ = 0;
  Value value_;
  std::vector<std::uint64_t> sums_;  ///< they wrap around
};

}  // namespace dinette::kv::postgres
