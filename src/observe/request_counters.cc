#include "dinette/observe/request_counters.h"

#include <array>
#include <utility>

namespace dinette::observe {
namespace {

/// 10 microseconds to 10 seconds, in steps of 1, 2 and 5.
constexpr std::array<std::int64_t, 19> bucket_ends = [] {
  std::array<std::int64_t, 19> ends{};
  std::int64_t decade = 10'000;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    constexpr std::array<std::int64_t, 3> steps = {1, 2, 5};
    ends[i] = decade * steps[i % 3];
    if (i % 3 == 2) decade *= 10;
  }
  return ends;
}();
static_assert(bucket_ends.back() == 10'000'000'000);

double seconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e9;
}

/// Returns a number as the format requires in `le`: "1.0".
std::string limit_text(double number) {
  std::string text = number_text(number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

RequestCounters::RequestCounters(std::string_view service, std::vector<std::string_view> operations,
                                 std::vector<Error> errors)
    : service_(service),
      operations_(std::move(operations)),
      errors_(std::move(errors)),
      counters_((operations_.size() + 1) * numbers_per_operation()) {
  static_assert(bucket_ends.size() == buckets);
}

/// Searches from the first bucket: most requests are in one of the first.
std::size_t RequestCounters::bucket_of(std::chrono::nanoseconds duration) {
  std::size_t bucket = 0;
  while (bucket < buckets && duration.count() > bucket_ends[bucket]) ++bucket;
  return bucket;
}

std::string_view RequestCounters::operation_name(std::size_t operation) const {
  return operation < operations_.size() ? operations_[operation] : std::string_view();
}

void RequestCounters::write(MetricsWriter& text, std::span<const RequestCounters* const> services) {
  text.family("dinette_requests", MetricsWriter::Type::counter,
              "Requests answered, by service, operation, status and type of error");
  for (const RequestCounters* const service : services) service->write_requests(text);
  text.family("dinette_request_duration_seconds", MetricsWriter::Type::histogram,
              "Time from the parsed head of a request to its response, by service and operation", "seconds");
  for (const RequestCounters* const service : services) service->write_durations(text);
}

/// Successes of every operation, and errors that occurred.
void RequestCounters::write_requests(MetricsWriter& text) const {
  for (std::size_t operation = 0; operation <= operations_.size(); ++operation) {
    const std::string_view name = operation_name(operation);
    text.sample("_total", {{"service", service_}, {"operation", name}, {"status", "200"}, {"error", ""}},
                value(operation, 0));
    for (std::size_t error = 0; error < errors_.size(); ++error) {
      const std::uint64_t count = value(operation, 1 + error);
      if (count == 0) continue;
      const std::string status = std::to_string(errors_[error].status);
      text.sample(
          "_total",
          {{"service", service_}, {"operation", name}, {"status", status}, {"error", errors_[error].name}},
          count);
    }
  }
}

void RequestCounters::write_durations(MetricsWriter& text) const {
  for (std::size_t operation = 0; operation <= operations_.size(); ++operation)
    write_durations(text, operation);
}

/// Counts of other threads meanwhile are in all numbers or in the later ones, so these stay ascending.
void RequestCounters::write_durations(MetricsWriter& text, std::size_t operation) const {
  const std::string_view name = operation_name(operation);
  const double sum = seconds(value(operation, first_bucket() + buckets + 1));
  std::uint64_t count = 0;
  for (std::size_t i = 0; i <= buckets; ++i) {
    count += value(operation, first_bucket() + i);
    const std::string end =
        i < buckets ? limit_text(seconds(static_cast<std::uint64_t>(bucket_ends[i]))) : "+Inf";
    text.sample("_bucket", {{"service", service_}, {"operation", name}, {"le", end}}, count);
  }
  text.sample("_count", {{"service", service_}, {"operation", name}}, count);
  text.sample("_sum", {{"service", service_}, {"operation", name}}, sum);
}

}  // namespace dinette::observe
