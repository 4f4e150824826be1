#include "dynamodb/wire/insights_gate.h"

namespace dinette::dynamodb::wire {

Answer<void> InsightsGate::admit(const Context& context, std::string_view operation) {
  scans_ = operation == "Scan";
  reads_items_ = operation == "GetItem" || operation == "BatchGetItem" || operation == "TransactGetItems";
  return GateLink::admit(context, operation);
}

Answer<void> InsightsGate::admit_throughput(const Context& context, const Throughput& throughput,
                                            double least) {
  auto admitted = GateLink::admit_throughput(context, throughput, least);
  if (!admitted && is_throttled(admitted.error())) note(throughput, true);
  return admitted;
}

Answer<void> InsightsGate::admit_partition(const Context& context, const PartitionThroughput& partition,
                                           double least) {
  auto admitted = GateLink::admit_partition(context, partition, least);
  if (!admitted && is_throttled(admitted.error())) note(partition.of, true);
  return admitted;
}

void InsightsGate::take(const Context& context, const PartitionThroughput& partition, double units) {
  note(partition.of, false);
  GateLink::take(context, partition, units);
}

void InsightsGate::after_deletion(const Context& context, const store::Table& table) {
  counts_.forget(table.id);
  GateLink::after_deletion(context, table);
}

void InsightsGate::note(const Throughput& of, bool throttled) {
  if (scans_) return;
  counts_.note({of, throttled, of.axis == Axis::write || reads_items_});
}

}  // namespace dinette::dynamodb::wire
