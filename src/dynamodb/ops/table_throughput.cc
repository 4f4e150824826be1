#include "dynamodb/ops/table_throughput.h"

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
