#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/pull/filter_text.h"
#include "app/pull/pull_progress.h"
#include "app/pull/table_source.h"

namespace dinette::app {

/// Which items of a table are wanted, and how fast.
struct ScanWish {
  std::optional<FilterText> where = {};
  std::uint64_t limit = 0;   ///< items; 0: all
  std::uint64_t sample = 0;  ///< items, spread over the table; 0: no sample
  double rate = 0;           ///< read units per second; 0: as fast as possible
};

/// Spreads reading over time, by what the source says that it has consumed.
class ReadPace {
 public:
  explicit ReadPace(double rate) : rate_(rate) {}

  /// Returns about how many items cost a second's read units; 0: any number.
  std::uint64_t items_per_request() const;
  /// Waits until the next request may be sent, or the user interrupts.
  void wait(const Patience& patience);
  void consumed(double units, std::uint64_t items);

 private:
  using Clock = std::chrono::steady_clock;

  const double rate_;
  double units_per_item_ = 0;  ///< 0: not known yet
  Clock::time_point ready_ = Clock::now();
};

/// Reads a table page by page. A sample reads a few items at the beginning of each of up to a hundred
/// segments of a parallel scan, in turns, until there are enough: the service spreads items over segments by
/// a hash of their partition keys. For one thread.
class TableScan {
 public:
  /// `progress` says where to begin, and advances with each page; it must outlive the scan.
  TableScan(const TableSource& source, std::string table, const ScanWish& wish, PullProgress& progress);

  /// Returns the items of the next page, which may be none; nothing at the end. Valid until the next call.
  /// The error is a sentence.
  base::Result<std::optional<std::vector<std::string_view>>, std::string> next();

 private:
  std::uint64_t wanted() const;
  ReadSegment* next_segment() const;
  std::uint64_t page_items() const;
  std::string request_of(const ReadSegment& segment) const;

  const TableSource& source_;
  const std::string table_;
  const ScanWish& wish_;
  PullProgress& progress_;
  ReadPace pace_;
  std::string page_;
};

}  // namespace dinette::app
