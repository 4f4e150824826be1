#include "dynamodb/wire/throttle_gate.h"

#include <algorithm>
#include <limits>
#include <string>

#include "dinette/base/waiting.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/request/hand_to_worker.h"
#include "dynamodb/request/throttled.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/throttling/table_rate_limits.h"

namespace dinette::dynamodb::wire {
namespace {

using throttling::RateLimits;
using throttling::TableOrIndex;

Answer<void> admit_control(throttling::RateLimiters& limiters, const Context& context, aws::Effect effect) {
  const std::string caller = std::string(context.account) + "/" + context.store.name_space();
  if (limiters.take_control_call(caller, context.now)) return {};
  return base::Failure{ApiError{api::ErrorCode::throttling_exception,
                                effect == aws::Effect::read
                                    ? "Rate exceeded"
                                    : "The rate of control plane requests made by this account is too high"}};
}

/// Tables in any other state than ACTIVE count (docs/service/throttling.md section 6).
Answer<void> admit_table_operation(const Context& context) {
  DINETTE_STORED(const auto tables,
                 context.store.catalog().list("", std::numeric_limits<std::size_t>::max()));
  const auto changing = std::ranges::count_if(tables, [&](const store::TablePointer& table) {
    const TableState state = state_at(table->schema_as<TableSchema>().record(), context.now);
    return state.status != api::TableStatus::active && !state.gone;
  });
  if (static_cast<std::size_t>(changing) < model::limits::table_operations) return {};
  return subscriber_limit("Only " + std::to_string(model::limits::table_operations) +
                          " table operations can be done simultaneously");
}

TableOrIndex table_or_index(const Throughput& throughput) {
  return {throughput.table.id, throughput.index ? throughput.index->id : 0};
}

/// If items cannot be counted now, they count as none: the number of partitions never decreases.
RateLimits rate_limits_of(const Context& context, const store::Table& table, const IndexSchema* index) {
  RateLimits limits = throttling::rate_limits_of(table.schema_as<TableSchema>(), index, context.now);
  const auto count = context.store.count(table, index ? index->id : 0);
  if (count) limits.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, count->bytes));
  return limits;
}

}  // namespace

Answer<void> ThrottleGate::admit(const Context& context, std::string_view operation) {
  const bool control = kind_.plane == aws::Plane::control;
  // What is counted must run only once: calls of the control plane, and what a batch has done so far.
  if ((control || kind_.grouping == aws::Grouping::batch) && !base::may_wait()) return hand_to_worker();
  if (control) DINETTE_CHECK(admit_control(limiters_, context, kind_.effect));
  if (kind_.table_operation) DINETTE_CHECK(admit_table_operation(context));
  return GateLink::admit(context, operation);
}

Answer<void> ThrottleGate::admit_throughput(const Context& context, const Throughput& throughput,
                                            double least) {
  Met& met = meet(context, throughput);
  const bool asked = !throughput.index && met.admitted && met.axis == throughput.axis;
  if (!asked || !*met.admitted) {
    const auto limit = limiters_.exceeded(met.of, met.limits, throughput.axis, least, context.now);
    met.axis = throughput.axis;
    met.admitted = !limit.has_value();
    if (limit) return refuse(throughput, met, *limit);
  }
  return GateLink::admit_throughput(context, throughput, least);
}

Answer<void> ThrottleGate::admit_partition(const Context& context, const PartitionThroughput& partition,
                                           double least) {
  Met& met = meet(context, partition.of);
  if (!limiters_.admit_partition(met.of, met.limits, partition.hash, partition.of.axis, least, context.now))
    return refuse(partition.of, met, Limit::partition);
  return GateLink::admit_partition(context, partition, least);
}

void ThrottleGate::take(const Context& context, const PartitionThroughput& partition, double units) {
  if (units > 0) {
    Met& met = meet(context, partition.of);
    limiters_.take(met.of, met.limits, partition.hash, partition.of.axis, units, context.now);
  }
  GateLink::take(context, partition, units);
}

void ThrottleGate::before_change(const Context& context, const store::Table& table) {
  const auto refill = [&](const IndexSchema* index) {
    limiters_.refill({table.id, index ? index->id : 0}, rate_limits_of(context, table, index), context.now);
  };
  refill(nullptr);
  for (const IndexSchema& index : table.schema_as<TableSchema>().indexes()) {
    if (index.global()) refill(&index);
  }
  GateLink::before_change(context, table);
}

void ThrottleGate::after_deletion(const Context& context, const store::Table& table) {
  limiters_.forget(table.id);
  GateLink::after_deletion(context, table);
}

ThrottleGate::Met& ThrottleGate::meet(const Context& context, const Throughput& throughput) {
  const TableOrIndex of = table_or_index(throughput);
  const std::uint64_t version = throughput.table.version;
  const auto found =
      std::ranges::find_if(met_, [&](const Met& met) { return met.of == of && met.version == version; });
  if (found != met_.end()) return *found;
  return met_.emplace_back(Met{of, version, rate_limits_of(context, throughput.table, throughput.index)});
}

Answer<void> ThrottleGate::refuse(const Throughput& throughput, const Met& met, Limit limit) const {
  const auto& schema = throughput.table.schema_as<TableSchema>();
  const bool alone = kind_.plane == aws::Plane::data && kind_.grouping == aws::Grouping::none;
  return base::Failure{throttled({.limit = limit,
                                  .axis = throughput.axis,
                                  .on_demand = met.limits.on_demand,
                                  .table_arn = schema.arn(),
                                  .index = throughput.index ? std::string_view(throughput.index->name) : "",
                                  .single_write = alone && kind_.effect == aws::Effect::write})};
}

}  // namespace dinette::dynamodb::wire
