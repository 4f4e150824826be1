#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dinette/base/clock.h"

namespace dinette::lambda {

/// A call of a function with records of a stream, or records that were discarded.
struct DeliveryRecord {
  enum class Result : std::uint8_t {
    done,
    partly,  ///< the first records are done
    failed,
    unavailable,  ///< the function did not run
    discarded,    ///< no more tries; `answer` is the document about it
  };

  std::uint64_t number = 0;  ///< counts from 1 in the order of the log
  base::TimePoint time = {};
  std::string mapping = {};   ///< its UUID
  std::string function = {};  ///< ARN
  std::string stream = {};    ///< ARN
  std::string shard = {};
  std::string batch = {};   ///< the same for all tries
  std::string first = {};   ///< number of the first record; empty: there is none
  std::string last = {};    ///< number of the last one
  std::size_t records = 0;  ///< how many there are
  int tries = 0;            ///< this one included
  Result result = Result::done;
  std::chrono::milliseconds duration{};
  std::string reason = {};  ///< of what is not done, for people
  std::shared_ptr<const std::string> event = {};
  std::string answer = {};
  std::uint64_t repeats = 0;  ///< the number of the delivery that was sent again by hand; 0: this is none

  /// Returns true if a person may have to do something.
  bool needs_attention() const { return result != Result::done; }
  /// Returns its approximate size in memory.
  std::size_t bytes() const;
};

/// The last deliveries of a world, in memory. Thread-safe.
class DeliveryLog {
 public:
  static constexpr std::size_t most_kept = 200;
  static constexpr std::size_t most_bytes_kept = 16 * 1024 * 1024;

  struct Question {
    std::uint64_t after = 0;        ///< the number of the last delivery that the reader knows
    std::string mapping = {};       ///< only those of this mapping; empty: of all
    bool failed_only = false;       ///< only those that need attention
    std::size_t limit = most_kept;  ///< the newest ones
  };
  struct Page {
    std::vector<std::shared_ptr<const DeliveryRecord>> deliveries;  ///< oldest first
    std::uint64_t last = 0;                                         ///< the number to continue after
  };

  DeliveryLog() = default;
  DeliveryLog(const DeliveryLog&) = delete;
  DeliveryLog& operator=(const DeliveryLog&) = delete;

  /// Adds a delivery, gives it its number, and returns it. It replaces the last one of its batch if that was
  /// unavailable, as this one is: a function that is not there for a while fills no log.
  std::shared_ptr<const DeliveryRecord> add(DeliveryRecord delivery);

  Page read(const Question& question) const;

  /// Returns the delivery of that number; null if it is gone.
  std::shared_ptr<const DeliveryRecord> find(std::uint64_t number) const;

 private:
  void forget_predecessor(const DeliveryRecord& delivery);
  void forget_what_is_too_much();

  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<const DeliveryRecord>> kept_;  ///< ascending; guarded by mutex_, as is all below
  std::size_t bytes_ = 0;                                   ///< of kept_
  std::uint64_t last_ = 0;
};

}  // namespace dinette::lambda
