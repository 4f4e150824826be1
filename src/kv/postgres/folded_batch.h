#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/kv/write_batch.h"

namespace dinette::kv::postgres {

/// A batch in the form in which its changes may be made in any order within each kind: first ranges are
/// erased, then each key gets what becomes of it in the end, then comes what is in commit order. It views the
/// batch, which must live longer.
struct FoldedBatch {
  struct Point {
    enum class Kind : std::uint8_t { put, erase, add };

    Kind kind = Kind::put;
    Value value = {};                            ///< for put
    std::vector<std::uint64_t> increments = {};  ///< for add; they wrap around
  };
  struct Append {
    std::string_view prefix;
    std::uint32_t index;
    Value value;
  };

  std::vector<Range> ranges;
  std::map<std::string, Point, std::less<>> points;
  std::vector<Append> appends;
  /// The keys of `appends` depend on the commit's number in another way than by their ends, so that the batch
  /// has to be folded again with a number.
  bool needs_number = false;

  bool empty() const { return ranges.empty() && points.empty() && appends.empty(); }
  /// Returns true if it may take effect in parts among other commits, unless locks prevent it: what a commit
  /// that has not ended inserts is not seen by one that erases it.
  bool erases() const;
};

/// Folds `batch`, which has no conditions. With the `number` of the commit nothing is in `appends`.
FoldedBatch fold(const WriteBatch& batch, std::optional<CommitNumber> number = std::nullopt);

}  // namespace dinette::kv::postgres
