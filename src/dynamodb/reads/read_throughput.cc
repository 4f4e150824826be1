#include "dynamodb/reads/read_throughput.h"

#include "dynamodb/request/charge.h"
#include "dynamodb/request/gate.h"

namespace dinette::dynamodb {
namespace {

Throughput throughput_of(const ReadPlace& place) {
  const bool global = place.index && !place.index->local;
  return {place.table, global ? place.index : nullptr, Axis::read, place.key};
}

PartitionThroughput partition_of(const ReadPlace& place) {
  return {throughput_of(place), store::hash_at(place.key)};
}

double least_units(bool consistent) {
  return read_units(0, consistent);
}

}  // namespace

Answer<void> admit_read(const Context& context, const ReadPlace& place, bool consistent) {
  DINETTE_CHECK(admit_read_of_table(context, place, consistent));
  return admit_read_of_partition(context, place, consistent);
}

Answer<void> admit_read_of_table(const Context& context, const ReadPlace& place, bool consistent) {
  if (!context.gate) return {};
  return context.gate->admit_throughput(context, throughput_of(place), least_units(consistent));
}

Answer<void> admit_read_of_partition(const Context& context, const ReadPlace& place, bool consistent) {
  if (!context.gate) return {};
  return context.gate->admit_partition(context, partition_of(place), least_units(consistent));
}

void take_read(const Context& context, const ReadPlace& place, double units) {
  if (context.gate) context.gate->take(context, partition_of(place), units);
}

}  // namespace dinette::dynamodb
