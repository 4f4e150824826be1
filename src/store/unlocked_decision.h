#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>

#include <boost/container/small_vector.hpp>

#include "dinette/store/write.h"

namespace dinette::store {

/// The decision of a write. It is made with nothing locked, because the face may read and write long texts to
/// decide, and holds as long as every target is what it was when the decision was made.
class UnlockedDecision {
 public:
  /// For `targets` targets. A decision that takes `quick` or longer is slow.
  UnlockedDecision(std::size_t targets, DecideRows decide, std::chrono::microseconds quick)
      : decide_(decide), quick_(quick), rows_(targets), changes_(targets) {}

  /// Decides on `rows`, one per target, and moves from them.
  void make_on(std::span<FoundRow> rows);

  /// Returns true if there is a decision and it was made on exactly these rows.
  bool holds_for(std::span<const FoundRow> rows) const { return made_ && std::ranges::equal(rows_, rows); }

  /// Returns true if the last decision is to commit its changes, false if it refuses the write.
  bool commits() const { return commits_; }
  /// Returns the input of the last decision, one per target.
  std::span<const FoundRow> rows() const { return rows_; }
  /// The changes of the last decision, one per target.
  std::span<const RowChange> changes() const { return changes_; }
  /// Returns the same to move from. From here on no decision holds until the next make_on().
  std::span<RowChange> take_changes() {
    made_ = false;
    return changes_;
  }

  /// Returns true if others may be kept waiting while it is made once more.
  bool may_lock() const;
  /// Returns true if this thread may make it once more with nothing locked.
  bool may_repeat() const;

 private:
  const DecideRows decide_;
  const std::chrono::microseconds quick_;
  int times_made_ = 0;
  bool slow_ = false;  ///< the last one
  bool made_ = false;  ///< and not taken
  bool commits_ = false;
  boost::container::small_vector<FoundRow, 1> rows_;      ///< what the last decision was made on
  boost::container::small_vector<RowChange, 1> changes_;  ///< one per target
};

}  // namespace dinette::store
