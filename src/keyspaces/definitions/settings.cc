#include "keyspaces/definitions/settings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "dinette/cql/definitions.h"

#include "keyspaces/api/auto_scaling_policy.h"
#include "keyspaces/api/auto_scaling_settings.h"
#include "keyspaces/api/target_tracking_scaling_policy_configuration.h"

namespace dinette::keyspaces {
namespace {

template <class Member>
bool has(const std::optional<Member>* member) {
  return member != nullptr && member->has_value();
}

CqlMap status(bool enabled) {
  return CqlMap().text("status", enabled ? "enabled" : "disabled");
}

CqlMap capacity(const api::CapacitySpecification& given) {
  CqlMap map;
  map.text("throughput_mode", to_string(given.throughput_mode));
  if (given.read_capacity_units) map.number("read_capacity_units", *given.read_capacity_units);
  if (given.write_capacity_units) map.number("write_capacity_units", *given.write_capacity_units);
  return map;
}

CqlMap encryption(const api::EncryptionSpecification& given) {
  CqlMap map;
  map.text("encryption_type", to_string(given.type));
  if (given.kms_key_identifier) map.text("kms_key_identifier", *given.kms_key_identifier);
  return map;
}

CqlMap replicas(const std::vector<api::ReplicaSpecification>& given) {
  CqlMap map;
  for (const api::ReplicaSpecification& replica : given) {
    if (replica.read_capacity_units)
      map.map(replica.region, CqlMap().number("read_capacity_units", *replica.read_capacity_units));
  }
  return map;
}

CqlMap warm_throughput(const api::WarmThroughputSpecification& given) {
  CqlMap map;
  if (given.read_units_per_second) map.number("read_units_per_second", *given.read_units_per_second);
  if (given.write_units_per_second) map.number("write_units_per_second", *given.write_units_per_second);
  return map;
}

CqlMap tracking(const api::TargetTrackingScalingPolicyConfiguration& given) {
  CqlMap map;
  map.number("target_value", std::llround(given.target_value));
  if (given.disable_scale_in) map.truth("disable_scale_in", *given.disable_scale_in);
  if (given.scale_in_cooldown) map.number("scale_in_cooldown", *given.scale_in_cooldown);
  if (given.scale_out_cooldown) map.number("scale_out_cooldown", *given.scale_out_cooldown);
  return map;
}

CqlMap scaling(const api::AutoScalingSettings& given) {
  CqlMap map;
  if (given.auto_scaling_disabled) map.truth("autoscaling_disabled", *given.auto_scaling_disabled);
  if (given.minimum_units) map.number("minimum_units", *given.minimum_units);
  if (given.maximum_units) map.number("maximum_units", *given.maximum_units);
  if (given.scaling_policy && given.scaling_policy->target_tracking_scaling_policy_configuration) {
    map.map("scaling_policy",
            CqlMap().map("target_tracking_scaling_policy_configuration",
                         tracking(*given.scaling_policy->target_tracking_scaling_policy_configuration)));
  }
  return map;
}

CqlMap scaling(const api::AutoScalingSpecification& given) {
  CqlMap map;
  if (given.write_capacity_auto_scaling)
    map.map("provisioned_write_capacity_autoscaling_update", scaling(*given.write_capacity_auto_scaling));
  if (given.read_capacity_auto_scaling)
    map.map("provisioned_read_capacity_autoscaling_update", scaling(*given.read_capacity_auto_scaling));
  return map;
}

bool is_on(const api::CdcSpecification& cdc) {
  return cdc.status == api::CdcStatus::enabled || cdc.status == api::CdcStatus::enabling;
}

CqlMap custom_properties(const TableSettings& settings) {
  CqlMap map;
  if (has(settings.capacity)) map.map("capacity_mode", capacity(**settings.capacity));
  if (has(settings.encryption)) map.map("encryption_specification", encryption(**settings.encryption));
  if (has(settings.recovery)) {
    const bool enabled = (*settings.recovery)->status == api::PointInTimeRecoveryStatus::enabled;
    map.map("point_in_time_recovery", status(enabled));
  }
  if (has(settings.time_to_live)) map.map("ttl", status(true));
  if (has(settings.timestamps)) map.map("client_side_timestamps", status(true));
  if (has(settings.replicas)) {
    const CqlMap units = replicas(**settings.replicas);
    if (!units.empty()) map.map("replica_updates", units);
  }
  if (has(settings.cdc) && (*settings.cdc)->view_type)
    map.map("cdc_specification", CqlMap().text("view_type", to_string(*(*settings.cdc)->view_type)));
  if (has(settings.warm_throughput)) map.map("warm_throughput", warm_throughput(**settings.warm_throughput));
  return map;
}

}  // namespace

std::size_t count_of(const TableSettings& settings) {
  const std::array given{has(settings.capacity),
                         has(settings.encryption),
                         has(settings.recovery),
                         has(settings.time_to_live),
                         has(settings.default_time_to_live),
                         has(settings.timestamps),
                         has(settings.scaling),
                         has(settings.replicas),
                         has(settings.cdc),
                         has(settings.warm_throughput)};
  return static_cast<std::size_t>(std::ranges::count(given, true));
}

void add_settings(const TableSettings& settings, CqlProperties& properties) {
  properties.add("custom_properties", custom_properties(settings));
  if (has(settings.default_time_to_live))
    properties.add("default_time_to_live", std::to_string(**settings.default_time_to_live));
  if (has(settings.scaling)) properties.add("autoscaling_settings", scaling(**settings.scaling));
  if (has(settings.cdc)) properties.add("cdc", is_on(**settings.cdc) ? "true" : "false");
}

CqlMap map_of(const std::vector<api::Tag>& tags) {
  CqlMap map;
  for (const api::Tag& tag : tags) map.text(tag.key, tag.value);
  return map;
}

Answer<std::string> replication_of(const Context& context, const api::ReplicationSpecification& given) {
  constexpr std::string_view factor = "3";
  if (given.replication_strategy == api::ReplicationStrategy::single_region) {
    const bool fits = !given.region_list ||
                      (given.region_list->size() == 1 && given.region_list->front() == context.scope.region);
    if (!fits) return not_valid("A keyspace in a single region has no regionList.");
    return CqlMap().text("class", "SingleRegionStrategy").cql();
  }
  if (!given.region_list || given.region_list->size() < 2)
    return not_valid("A keyspace in several regions needs a regionList of two regions at least.");
  CqlMap map;
  map.text("class", "NetworkTopologyStrategy");
  for (const std::string& region : *given.region_list) map.text(region, factor);
  return map.cql();
}

Answer<std::string> column_of(std::string_view name, std::string_view type) {
  if (!cql::is_type_text(type)) return not_valid("Unknown type " + std::string(type));
  if (name.empty()) return not_valid("A name has one character at least.");
  return quoted_name(name) + " " + std::string(type);
}

}  // namespace dinette::keyspaces
