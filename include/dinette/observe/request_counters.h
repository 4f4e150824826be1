#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/observe/counters.h"
#include "dinette/observe/metrics_writer.h"

namespace dinette::observe {

/// Counts the requests of a service by operation and error, and how long they took. Thread-safe.
class RequestCounters {
 public:
  struct Error {
    std::string_view name;  ///< of static storage
    int status;
  };

  /// `service`: the label of its samples; of static storage, as are the names of operations. Requests of no
  /// operation, or of one that is not served, are counted as the operation "".
  RequestCounters(std::string_view service, std::vector<std::string_view> operations,
                  std::vector<Error> errors);

  /// Counts a request. `operation` and `error`: positions in the constructor's arguments; nothing for none.
  void count(std::optional<std::size_t> operation, std::optional<std::size_t> error,
             std::chrono::nanoseconds duration) {
    const std::size_t first = operation.value_or(operations_.size()) * numbers_per_operation();
    counters_.add(first + (error ? 1 + *error : 0));
    counters_.add(first + first_bucket() + bucket_of(duration));
    counters_.add(first + first_bucket() + buckets + 1, static_cast<std::uint64_t>(duration.count()));
  }

  /// Writes the families of all services.
  static void write(MetricsWriter& text, std::span<const RequestCounters* const> services);

 private:
  /// Buckets of the histogram, without the unbounded one.
  static constexpr std::size_t buckets = 19;

  static std::size_t bucket_of(std::chrono::nanoseconds duration);

  // The numbers of an operation: successes, one per error, one per bucket, nanoseconds.
  std::size_t first_bucket() const { return 1 + errors_.size(); }
  std::size_t numbers_per_operation() const { return first_bucket() + buckets + 2; }
  std::uint64_t value(std::size_t operation, std::size_t number) const {
    return counters_.value(operation * numbers_per_operation() + number);
  }

  void write_requests(MetricsWriter& text) const;
  void write_durations(MetricsWriter& text) const;
  void write_durations(MetricsWriter& text, std::size_t operation) const;
  std::string_view operation_name(std::size_t operation) const;

  const std::string_view service_;
  const std::vector<std::string_view> operations_;
  const std::vector<Error> errors_;
  Counters counters_;
};

}  // namespace dinette::observe
