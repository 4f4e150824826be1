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

/// Writes log lines to a file descriptor from a thread of its own, so that no request waits for whoever reads
/// the log. Lines that find the queue full are dropped and counted. Thread safe.
///
/// It is never destroyed: its thread may be stuck in a write(2) that nothing ends.
class LogWriter {
 public:
  /// Bytes that may wait to be written.
  static constexpr std::size_t queue_bytes = 1024 * 1024;

  /// `dropped_line` words the line that says how many lines were dropped before it.
  using DroppedLine = std::function<std::string(std::uint64_t lines)>;

  explicit LogWriter(DroppedLine dropped_line);
  ~LogWriter() = delete;

  /// Queues one line, which ends in a newline. Never waits for the descriptor.
  void write(std::string_view line);

  /// Where lines go that are queued from now on.
  void redirect(int file_descriptor);

  /// Waits until everything queued is written, at most for `patience`. Returns false if something is left.
  bool flush(std::chrono::milliseconds patience);

 private:
  void start_thread();
  void run();
  void write_dropped(int descriptor, std::uint64_t lines) const;

  const DroppedLine dropped_line_;
  std::mutex mutex_;
  std::condition_variable wake_;     ///< There is something to write.
  std::condition_variable written_;  ///< Everything is written.
  std::string queue_;
  std::uint64_t dropped_ = 0;
  int descriptor_ = 2;
  bool started_ = false;
  bool writing_ = false;
};

}  // namespace dinette::base
