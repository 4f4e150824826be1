#include "dynamodb/throttling/table_rate_limits.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/tables/table_throughput.h"

namespace dinette::dynamodb::throttling {
namespace {

/// Throughput as settings hold it for a table and for each of its indexes.
struct Figures {
  api::BillingMode mode;
  api::ProvisionedThroughput provisioned;
  std::optional<api::OnDemandThroughput> maxima;
  api::WarmThroughput warm;
};

Figures figures_of(const api::TableSettings& settings) {
  return {settings.billing_mode, settings.provisioned_throughput, settings.on_demand_throughput,
          warm_units(settings)};
}

Figures figures_of(const api::GlobalSecondaryIndex& index, api::BillingMode mode) {
  return {mode, index.provisioned_throughput.value_or(api::ProvisionedThroughput{}),
          index.on_demand_throughput, warm_units(index, mode)};
}

RateLimits::Side on_demand_side(std::optional<std::int64_t> maximum, std::int64_t warm) {
  if (maximum && *maximum != remove_ceiling) return {Limit::maximum, *maximum, warm};
  return {Limit::account, model::limits::table_units, warm};
}

RateLimits rate_limits_from(const Figures& figures) {
  RateLimits limits;
  limits.on_demand = figures.mode == api::BillingMode::pay_per_request;
  const std::int64_t warm_reads = *figures.warm.read_units_per_second;
  const std::int64_t warm_writes = *figures.warm.write_units_per_second;
  if (limits.on_demand) {
    const api::OnDemandThroughput maxima = figures.maxima.value_or(api::OnDemandThroughput{});
    limits.sides = {on_demand_side(maxima.max_read_request_units, warm_reads),
                    on_demand_side(maxima.max_write_request_units, warm_writes)};
  } else {
    limits.sides = {
        RateLimits::Side{Limit::provisioned, figures.provisioned.read_capacity_units, warm_reads},
        RateLimits::Side{Limit::provisioned, figures.provisioned.write_capacity_units, warm_writes}};
  }
  return limits;
}

const api::GlobalSecondaryIndex* find_index(const api::TableSettings& settings, const IndexSchema& index) {
  const auto& all = settings.global_secondary_indexes;
  const auto found = std::ranges::find(all, static_cast<std::int32_t>(index.id), &api::GlobalIndexRecord::id);
  return found == all.end() ? nullptr : &found->definition;
}

/// Returns the figures of an index; one that is being created already has its throughput.
Figures figures_of(const TableState& state, const IndexSchema& index) {
  const api::BillingMode mode = state.settings.billing_mode;
  if (const auto* definition = find_index(state.settings, index)) return figures_of(*definition, mode);
  if (const auto* definition = find_index(state.target, index))
    return figures_of(*definition, state.target.billing_mode);
  return figures_of(state.settings);
}

}  // namespace

RateLimits rate_limits_of(const TableSchema& schema, const IndexSchema* index, codec::Timestamp now) {
  const api::TableRecord& record = schema.record();
  const TableState state = state_at(record, now);
  RateLimits limits = rate_limits_from(index ? figures_of(state, *index) : figures_of(state.settings));
  const bool changed = record.transition && !state.changing();
  if (changed) limits.since = record.transition->until.time();
  return limits;
}

}  // namespace dinette::dynamodb::throttling
