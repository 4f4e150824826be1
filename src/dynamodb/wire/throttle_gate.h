#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dinette/aws/operation_kind.h"

#include "dynamodb/request/gate_link.h"
#include "dynamodb/throttling/rate_limiters.h"
#include "dynamodb/throttling/rate_limits.h"

namespace dinette::dynamodb::wire {

/// Throttles one request as the service does, by what it and those before it took (docs/service/throttling.md
/// section 3). To be used by one thread at a time.
class ThrottleGate final : public GateLink {
 public:
  /// `limiters` are those of the request's world. They, and `next` unless null, must outlive the object.
  ThrottleGate(throttling::RateLimiters& limiters, const aws::OperationKind& kind, Gate* next)
      : GateLink(next), limiters_(limiters), kind_(kind) {}

  Answer<void> admit(const Context& context, std::string_view operation) override;
  Answer<void> admit_throughput(const Context& context, const Throughput& throughput, double least) override;
  Answer<void> admit_partition(const Context& context, const PartitionThroughput& partition,
                               double least) override;
  void take(const Context& context, const PartitionThroughput& partition, double units) override;
  void before_change(const Context& context, const store::Table& table) override;
  void after_deletion(const Context& context, const store::Table& table) override;

 private:
  /// A table or index as this request met it.
  struct Met {
    throttling::TableOrIndex of;
    std::uint64_t version;
    throttling::RateLimits limits;
    std::optional<bool> admitted = {};  ///< of a table: it is asked once per request
    Axis axis{};                        ///< for which it was
  };

  Met& meet(const Context& context, const Throughput& throughput);
  Answer<void> refuse(const Throughput& throughput, const Met& met, Limit limit) const;

  throttling::RateLimiters& limiters_;
  const aws::OperationKind kind_;
  std::vector<Met> met_;
};

}  // namespace dinette::dynamodb::wire
