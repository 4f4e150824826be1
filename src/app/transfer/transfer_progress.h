#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace dinette::app {

/// Shows how far an export or import of a table has come. For one thread.
class TransferProgress {
 public:
  enum class Shown {
    bar,    ///< on standard error, which is a terminal
    lines,  ///< on standard error: one every ten seconds, and one at the end
    log     ///< the same in the log, at level info
  };

  /// Returns what of the first two suits standard error.
  static Shown suited();

  explicit TransferProgress(Shown shown) : shown_(shown) {}

  /// Begins a table. `verb`: "exporting", for example; `expected`: about how many items; 0: not known.
  void begin(std::string_view verb, std::string_view table, std::uint64_t expected);
  /// Must be called for every page or batch.
  void add(std::uint64_t items);
  /// Ends the table, whether it has succeeded or not.
  void end();

  /// Shows a warning, which is no part of the progress; in the log at level warn.
  void warn(std::string_view text) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t rate(Clock::time_point now) const;
  void show(Clock::time_point now);

  const Shown shown_;
  std::string verb_;
  std::string table_;
  std::uint64_t expected_ = 0;
  std::uint64_t items_ = 0;
  Clock::time_point begun_;
  Clock::time_point last_shown_;
};

/// Returns a line such as "exporting Albums [#####.....]  52 %  1,234 items, 600/s".
std::string progress_line(std::string_view verb, std::string_view table, std::uint64_t items,
                          std::uint64_t expected, std::uint64_t items_per_second);

}  // namespace dinette::app
