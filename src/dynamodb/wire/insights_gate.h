#pragma once

#include <string_view>

#include "dynamodb/insights/key_counts.h"
#include "dynamodb/request/gate_link.h"

namespace dinette::dynamodb::wire {

/// Counts the keys of one request for contributor insights: those that it takes throughput of, and those that
/// the next gates throttle. A scan has no keys.
class InsightsGate final : public GateLink {
 public:
  /// `next`: the gate that follows; may be null. Both must outlive the object.
  InsightsGate(KeyCounts& counts, Gate* next) : GateLink(next), counts_(counts) {}

  Answer<void> admit(const Context& context, std::string_view operation) override;
  Answer<void> admit_throughput(const Context& context, const Throughput& throughput, double least) override;
  Answer<void> admit_partition(const Context& context, const PartitionThroughput& partition,
                               double least) override;
  void take(const Context& context, const PartitionThroughput& partition, double units) override;
  void after_deletion(const Context& context, const store::Table& table) override;

 private:
  void note(const Throughput& of, bool throttled);

  KeyCounts& counts_;
  bool scans_ = false;
  bool reads_items_ = false;  ///< by whole keys
};

}  // namespace dinette::dynamodb::wire
