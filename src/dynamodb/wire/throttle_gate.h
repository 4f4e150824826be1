#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dinette/tenancy/world.h"

#include "dynamodb/request/gate_link.h"
#include "dynamodb/throttling/ledger.h"
#include "dynamodb/throttling/supply.h"
#include "dynamodb/wire/operation_kind.h"

namespace dinette::dynamodb::wire {

/// Returns what is left of the throughput of a world's tables.
throttling::Ledger& ledger_of(tenancy::World& world, std::uint8_t face_id);

/// Throttles one request as the service does, by what it and those before it took (docs/service/throttling.md
/// section 3). To be used by one thread at a time.
class ThrottleGate final : public GateLink {
 public:
  /// `ledger` is that of the request's world. It, and `next` unless null, must outlive the object.
  ThrottleGate(throttling::Ledger& ledger, const OperationKind& kind, Gate* next)
      : GateLink(next), ledger_(ledger), kind_(kind) {}

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
    throttling::Holder holder;
    std::uint64_t version;
    throttling::Supply supply;
    std::optional<bool> admitted = {};  ///< of a table: it is asked once per request
    Axis axis{};                        ///< for which it was
  };

  Met& meet(const Context& context, const Throughput& throughput);
  Answer<void> refuse(const Throughput& throughput, const Met& met, Limit limit) const;

  throttling::Ledger& ledger_;
  const OperationKind kind_;
  std::vector<Met> met_;
};

}  // namespace dinette::dynamodb::wire
