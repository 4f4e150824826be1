#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace dinette::base {

/// Writes log lines to a file descriptor from a thread of its own, so that requests do not wait for the
/// reader of the log. Lines that do not fit the queue are dropped and counted. Thread-safe.
///
/// Never destroyed: its thread may be stuck in a write(2) forever.
class LogWriter {
 public:
  /// Most bytes that may be queued.
  static constexpr std::size_t queue_bytes = 1024 * 1024;

  /// `dropped_line` returns the line that says how many lines were dropped before it.
  using DroppedLine = std::function<std::string(std::uint64_t lines)>;

  explicit LogWriter(DroppedLine dropped_line);
  ~LogWriter() = delete;

  /// Queues one line, which ends in a newline. Never waits for the descriptor.
  void write(std::string_view line);

  /// Sets the descriptor for lines that are queued from now on.
  void redirect(int file_descriptor);

  /// Waits up to `patience` until everything queued is written. Returns false if something is left.
  bool flush(std::chrono::milliseconds patience);

 private:
  void start_thread();
  void run();
  void write_dropped(int descriptor, std::uint64_t lines) const;

  const DroppedLine dropped_line_;
  std::mutex mutex_;
  std::condition_variable wake_;     ///< there is something to write
  std::condition_variable written_;  ///< everything is written
  std::string queue_;
  std::uint64_t dropped_ = 0;
  int descriptor_ = 2;
  bool started_ = false;
  bool writing_ = false;
};

}  // namespace dinette::base
