#include "dynamodb/replicas/auto_scaling.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/scaling_dimension.h"

namespace dinette::dynamodb {
namespace {

using api::ScalingDimension;

// docs/service/global-tables.md sections 1 and 3.
constexpr std::int64_t most_units = 40'000;
constexpr std::int64_t most_units_of_new_index = 10;
constexpr double usual_target = 70;

ScalingDimension* find_dimension(api::TableRecord& record, std::string_view name) {
  if (!record.auto_scaling) return nullptr;
  const auto found = std::ranges::find(*record.auto_scaling, name, &ScalingDimension::name);
  return found == record.auto_scaling->end() ? nullptr : &*found;
}

const ScalingDimension* find_dimension(const api::TableRecord& record, std::string_view name) {
  return find_dimension(const_cast<api::TableRecord&>(record), name);
}

void set_dimension(api::TableRecord& record, const Scaled& scaled, std::int64_t minimum,
                   std::int64_t maximum) {
  ScalingDimension dimension;
  dimension.name = scaled.name();
  dimension.minimum = minimum;
  dimension.maximum = maximum;
  dimension.policy.emplace().policy_name = scaled.policy_name();
  dimension.policy->target_tracking_scaling_policy_configuration.emplace().target_value = usual_target;
  if (!record.auto_scaling) record.auto_scaling.emplace();
  if (ScalingDimension* const present = find_dimension(record, dimension.name))
    *present = std::move(dimension);
  else
    record.auto_scaling->push_back(std::move(dimension));
}

bool is_scaled(const api::TableRecord& record, const Scaled& scaled) {
  const ScalingDimension* const dimension = find_dimension(record, scaled.name());
  return dimension && dimension->policy;
}

api::AutoScalingSettingsDescription describe_dimension(const api::TableRecord& record, const Scaled& scaled) {
  api::AutoScalingSettingsDescription description;
  auto& policies = description.scaling_policies.emplace();
  const ScalingDimension* const dimension = find_dimension(record, scaled.name());
  if (!dimension || !dimension->policy) {
    description.auto_scaling_disabled = true;
    return description;
  }
  description.minimum_units = dimension->minimum;
  description.maximum_units = dimension->maximum;
  description.auto_scaling_role_arn = dimension->role_arn;
  policies.push_back(*dimension->policy);
  return description;
}

/// Raises the units of a table or an index to the minimum of their scaling.
void raise_units(api::TableSettings& settings, const Scaled& scaled, std::int64_t minimum) {
  if (settings.billing_mode != api::BillingMode::provisioned) return;
  api::ProvisionedThroughput* units = &settings.provisioned_throughput;
  if (!scaled.index.empty()) {
    auto& indexes = settings.global_secondary_indexes;
    const auto index = std::ranges::find_if(indexes, [&](const api::GlobalIndexRecord& one) {
      return one.definition.index_name == scaled.index;
    });
    if (index == indexes.end() || !index->definition.provisioned_throughput) return;
    units = &*index->definition.provisioned_throughput;
  }
  std::int64_t& one = scaled.writes ? units->write_capacity_units : units->read_capacity_units;
  one = std::max(one, minimum);
}

}  // namespace

std::string Scaled::name() const {
  return (index.empty() ? std::string("table") : "index " + std::string(index)) +
         (writes ? " writes" : " reads");
}

std::string Scaled::policy_name() const {
  std::string text(writes ? "DynamoDBWriteCapacityUtilization:table/"
                          : "DynamoDBReadCapacityUtilization:table/");
  text.append(table);
  return index.empty() ? text : text.append("/index/").append(index);
}

Answer<void> check_write_capacity(const api::TableRecord& record, const api::TableSettings& settings) {
  if (settings.billing_mode == api::BillingMode::pay_per_request) return {};
  if (!is_scaled(record, {record.table_name, {}, true}))
    return validation("Table write capacity should either be Pay-Per-Request or AutoScaled.");
  for (const api::GlobalIndexRecord& index : settings.global_secondary_indexes) {
    if (!is_scaled(record, {record.table_name, index.definition.index_name, true}))
      return validation("GSI write capacity should either be Pay-Per-Request or AutoScaled.");
  }
  return {};
}

void scale_provisioned(api::TableRecord& record, const api::TableSettings& settings) {
  set_dimension(record, {record.table_name, {}, true}, settings.provisioned_throughput.write_capacity_units,
                most_units);
  for (const api::GlobalIndexRecord& index : settings.global_secondary_indexes) {
    const auto& units = index.definition.provisioned_throughput;
    set_dimension(record, {record.table_name, index.definition.index_name, true},
                  units ? units->write_capacity_units : 1, most_units);
  }
}

void scale_new_index(api::TableRecord& record, std::string_view index) {
  set_dimension(record, {record.table_name, index, true}, 1, most_units_of_new_index);
}

Answer<void> check_scaling(const api::TableSettings& settings, const api::AutoScalingSettingsUpdate& update) {
  const bool with_units = update.minimum_units || update.maximum_units;
  const bool disabled = update.auto_scaling_disabled.value_or(false);
  if (disabled && (with_units || update.scaling_policy_update))
    return invalid("AutoScalingDisabled cannot be specified with other auto scaling settings");
  if (settings.billing_mode == api::BillingMode::pay_per_request && !disabled)
    return invalid("Auto scaling cannot be enabled when BillingMode is PAY_PER_REQUEST");
  if (disabled) return {};
  if (!update.minimum_units || !update.maximum_units || !update.scaling_policy_update)
    return invalid("MinimumUnits, MaximumUnits and ScalingPolicyUpdate must be specified together");
  if (*update.minimum_units > *update.maximum_units)
    return invalid("MinimumUnits must not be greater than MaximumUnits");
  return {};
}

void update_scaling(api::TableRecord& record, const Scaled& scaled,
                    const api::AutoScalingSettingsUpdate& update) {
  const std::string name = scaled.name();
  if (update.auto_scaling_disabled.value_or(false)) {
    if (record.auto_scaling)
      std::erase_if(*record.auto_scaling, [&](const auto& one) { return one.name == name; });
    return;
  }
  set_dimension(record, scaled, *update.minimum_units, *update.maximum_units);
  ScalingDimension& dimension = *find_dimension(record, name);
  dimension.role_arn = update.auto_scaling_role_arn;
  const auto& wanted = *update.scaling_policy_update;
  const auto& rule = wanted.target_tracking_scaling_policy_configuration;
  dimension.policy->policy_name = wanted.policy_name.value_or(scaled.policy_name());
  auto& kept = *dimension.policy->target_tracking_scaling_policy_configuration;
  kept.disable_scale_in = rule.disable_scale_in;
  kept.scale_in_cooldown = rule.scale_in_cooldown;
  kept.scale_out_cooldown = rule.scale_out_cooldown;
  kept.target_value = rule.target_value;
  raise_units(record.settings, scaled, *update.minimum_units);
  if (record.transition) raise_units(record.transition->settings, scaled, *update.minimum_units);
}

api::ReplicaAutoScalingDescription describe_scaling(const api::TableRecord& record,
                                                    const api::TableSettings& settings,
                                                    api::ReplicaStatus status) {
  api::ReplicaAutoScalingDescription description;
  description.region_name = record.region;
  description.replica_status = status;
  description.replica_provisioned_read_capacity_auto_scaling_settings =
      describe_dimension(record, {record.table_name, {}, false});
  description.replica_provisioned_write_capacity_auto_scaling_settings =
      describe_dimension(record, {record.table_name, {}, true});
  auto& indexes = description.global_secondary_indexes.emplace();
  for (const api::GlobalIndexRecord& index : settings.global_secondary_indexes) {
    const std::string& name = index.definition.index_name;
    auto& one = indexes.emplace_back();
    one.index_name = name;
    one.index_status = index.building ? api::IndexStatus::creating : index.status;
    one.provisioned_read_capacity_auto_scaling_settings =
        describe_dimension(record, {record.table_name, name, false});
    one.provisioned_write_capacity_auto_scaling_settings =
        describe_dimension(record, {record.table_name, name, true});
  }
  return description;
}

}  // namespace dinette::dynamodb
