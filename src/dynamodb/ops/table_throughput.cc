#include "dynamodb/ops/table_throughput.h"

#include <chrono>

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::ops {
namespace {

constexpr std::int64_t no_ceiling = -1;

Answer<void> check_ceiling(CeilingChange change, api::BillingMode mode, std::string_view resource,
                           const std::string& member, std::optional<std::int64_t> value) {
  if (!value) return {};
  if (mode == api::BillingMode::provisioned) {
    return invalid(member + " for OnDemandThroughput cannot be specified when " +
                   (change == CeilingChange::create ? "table BillingMode is PROVISIONED."
                                                    : "the table BillingMode is PROVISIONED"));
  }
  const bool removal = change == CeilingChange::update && *value == remove_ceiling;
  if (*value >= 1 || removal) return {};
  return invalid("Requested " + member + " for OnDemandThroughput for " + std::string(resource) +
                 " is outside of valid range");
}

std::int64_t day_of(codec::Timestamp moment) {
  constexpr std::int64_t day = std::chrono::milliseconds(std::chrono::days(1)).count();
  return moment.milliseconds / day;
}

std::int64_t decreases_on_day_of(codec::Timestamp moment, const api::ThroughputChanges& changes) {
  const bool same_day = changes.last_decrease && day_of(*changes.last_decrease) == day_of(moment);
  return same_day ? changes.decreases_that_day : 0;
}

}  // namespace

Answer<void> check_provisioned(api::BillingMode mode,
                               const std::optional<api::ProvisionedThroughput>& throughput) {
  if (mode == api::BillingMode::pay_per_request && throughput) {
    return invalid(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (mode == api::BillingMode::provisioned && !throughput) {
    return invalid(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  }
  return {};
}

void note_change(api::ThroughputChanges& changes, const api::ProvisionedThroughput& from,
                 const api::ProvisionedThroughput& to, codec::Timestamp moment) {
  const bool lower = to.read_capacity_units < from.read_capacity_units ||
                     to.write_capacity_units < from.write_capacity_units;
  const bool higher = to.read_capacity_units > from.read_capacity_units ||
                      to.write_capacity_units > from.write_capacity_units;
  if (lower) {
    changes.decreases_that_day = decreases_on_day_of(moment, changes) + 1;
    changes.last_decrease = moment;
  }
  if (higher) changes.last_increase = moment;
}

api::ProvisionedThroughputDescription describe_throughput(const api::ProvisionedThroughput& units,
                                                          const api::ThroughputChanges& changes,
                                                          codec::Timestamp moment) {
  api::ProvisionedThroughputDescription shown;
  shown.last_increase_date_time = changes.last_increase;
  shown.last_decrease_date_time = changes.last_decrease;
  shown.number_of_decreases_today = decreases_on_day_of(moment, changes);
  shown.read_capacity_units = units.read_capacity_units;
  shown.write_capacity_units = units.write_capacity_units;
  return shown;
}

Answer<void> check_ceilings(CeilingChange change, api::BillingMode mode, std::string_view resource,
                            const std::optional<api::OnDemandThroughput>& ceilings) {
  if (!ceilings) return {};
  DINETTE_CHECK(
      check_ceiling(change, mode, resource, "MaxReadRequestUnits", ceilings->max_read_request_units));
  return check_ceiling(change, mode, resource, "MaxWriteRequestUnits", ceilings->max_write_request_units);
}

std::optional<api::OnDemandThroughput> unless_empty(const std::optional<api::OnDemandThroughput>& ceilings) {
  const bool empty = !ceilings || (!ceilings->max_read_request_units && !ceilings->max_write_request_units);
  return empty ? std::nullopt : ceilings;
}

std::optional<api::OnDemandThroughput> merged_ceilings(const std::optional<api::OnDemandThroughput>& current,
                                                       const std::optional<api::OnDemandThroughput>& wanted) {
  if (!wanted) return current;
  api::OnDemandThroughput ceilings = current.value_or(api::OnDemandThroughput{});
  if (wanted->max_read_request_units) ceilings.max_read_request_units = wanted->max_read_request_units;
  if (wanted->max_write_request_units) ceilings.max_write_request_units = wanted->max_write_request_units;
  return ceilings;
}

std::optional<api::OnDemandThroughput> without_removed(
    const std::optional<api::OnDemandThroughput>& ceilings) {
  if (!ceilings) return std::nullopt;
  api::OnDemandThroughput kept = *ceilings;
  if (kept.max_read_request_units == no_ceiling) kept.max_read_request_units.reset();
  if (kept.max_write_request_units == no_ceiling) kept.max_write_request_units.reset();
  return unless_empty(kept);
}

std::optional<api::WarmThroughput> merged_warm_units(const std::optional<api::WarmThroughput>& current,
                                                     const std::optional<api::WarmThroughput>& wanted) {
  if (!wanted) return current;
  api::WarmThroughput warm = current.value_or(api::WarmThroughput{});
  if (wanted->read_units_per_second) warm.read_units_per_second = wanted->read_units_per_second;
  if (wanted->write_units_per_second) warm.write_units_per_second = wanted->write_units_per_second;
  return warm;
}

api::WarmThroughput warm_units(const std::optional<api::WarmThroughput>& asked, api::BillingMode mode,
                               const api::ProvisionedThroughput& provisioned) {
  const bool on_demand = mode == api::BillingMode::pay_per_request;
  api::WarmThroughput units;
  units.read_units_per_second = on_demand ? model::limits::warm_read_units : provisioned.read_capacity_units;
  units.write_units_per_second =
      on_demand ? model::limits::warm_write_units : provisioned.write_capacity_units;
  if (asked && asked->read_units_per_second) units.read_units_per_second = asked->read_units_per_second;
  if (asked && asked->write_units_per_second) units.write_units_per_second = asked->write_units_per_second;
  return units;
}

}  // namespace dinette::dynamodb::ops
