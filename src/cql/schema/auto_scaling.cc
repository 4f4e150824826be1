#include "cql/schema/auto_scaling.h"

#include <cstdint>
#include <string_view>

#include "dinette/base/ascii.h"

#include "cql/schema/properties.h"

namespace dinette::cql::schema {
namespace {

using grammar::PropertyValue;

constexpr std::int64_t least_target = 20;
constexpr std::int64_t greatest_target = 90;
constexpr std::int64_t longest_cooldown = 86'400;

constexpr std::string_view of_reads = "provisioned_read_capacity_autoscaling_update";
constexpr std::string_view of_writes = "provisioned_write_capacity_autoscaling_update";
constexpr std::string_view tracking = "target_tracking_scaling_policy_configuration";

base::Failure<Error> bad_settings() {
  return invalid("Invalid value for AUTOSCALING_SETTINGS.");
}

Answer<std::int64_t> read_number(const PropertyValue& value, std::int64_t least, std::int64_t greatest) {
  const auto number = number_of(value);
  if (!number || *number < least || *number > greatest) return bad_settings();
  return *number;
}

Answer<bool> read_truth(const PropertyValue& value) {
  if (base::equal_ignoring_case(value.text, "true")) return true;
  if (base::equal_ignoring_case(value.text, "false")) return false;
  return bad_settings();
}

Answer<void> read_tracking(const PropertyValue& map, AutoScaling& out) {
  if (!map.is_map) return bad_settings();
  for (const auto& [name, value] : map.entries) {
    if (name == "target_value") {
      DINETTE_TRY(const std::int64_t target, read_number(value, least_target, greatest_target));
      out.target_value = static_cast<std::int32_t>(target);
    } else if (name == "disable_scale_in") {
      DINETTE_TRY(out.disable_scale_in, read_truth(value));
    } else if (name == "scale_in_cooldown" || name == "scale_out_cooldown") {
      DINETTE_TRY(const std::int64_t seconds, read_number(value, 0, longest_cooldown));
      (name == "scale_in_cooldown" ? out.scale_in_cooldown : out.scale_out_cooldown) =
          static_cast<std::int32_t>(seconds);
    } else {
      return bad_settings();
    }
  }
  return out.target_value ? Answer<void>() : bad_settings();
}

Answer<void> read_policy(const PropertyValue& map, AutoScaling& out) {
  const PropertyValue* const configuration = entry_of(map, tracking);
  if (configuration == nullptr || map.entries.size() != 1) return bad_settings();
  return read_tracking(*configuration, out);
}

Answer<AutoScaling> read_scaling(const PropertyValue& map) {
  AutoScaling out;
  if (!map.is_map) return bad_settings();
  for (const auto& [name, value] : map.entries) {
    if (name == "autoscaling_disabled") {
      DINETTE_TRY(out.disabled, read_truth(value));
    } else if (name == "minimum_units") {
      DINETTE_TRY(out.minimum_units.emplace(), read_number(value, 1, most_capacity_units));
    } else if (name == "maximum_units") {
      DINETTE_TRY(out.maximum_units.emplace(), read_number(value, 1, most_capacity_units));
    } else if (name == "scaling_policy") {
      DINETTE_CHECK(read_policy(value, out));
    } else {
      return bad_settings();
    }
  }
  const bool ordered = !out.minimum_units || !out.maximum_units || *out.minimum_units <= *out.maximum_units;
  if (!ordered) return bad_settings();
  return out;
}

}  // namespace

Answer<void> apply_auto_scaling(const PropertyValue& settings, TableOptions& options) {
  if (!settings.is_map) return bad_settings();
  for (const auto& [name, value] : settings.entries) {
    if (name == of_writes) {
      DINETTE_TRY(options.write_autoscaling.emplace(), read_scaling(value));
    } else if (name == of_reads) {
      DINETTE_TRY(options.read_autoscaling.emplace(), read_scaling(value));
    } else if (name != "replica_updates") {
      return bad_settings();
    }
  }
  return {};
}

std::string to_text(const AutoScaling& scaling) {
  const auto truth = [](bool value) -> std::string { return value ? "true" : "false"; };
  std::string text = "{'autoscaling_disabled': " + truth(scaling.disabled);
  if (scaling.minimum_units) text += ", 'minimum_units': " + std::to_string(*scaling.minimum_units);
  if (scaling.maximum_units) text += ", 'maximum_units': " + std::to_string(*scaling.maximum_units);
  if (scaling.target_value) {
    text += ", 'scaling_policy': {'" + std::string(tracking) +
            "': {'disable_scale_in': " + truth(scaling.disable_scale_in) +
            ", 'scale_in_cooldown': " + std::to_string(scaling.scale_in_cooldown) +
            ", 'scale_out_cooldown': " + std::to_string(scaling.scale_out_cooldown) +
            ", 'target_value': " + std::to_string(*scaling.target_value) + "}}";
  }
  return text + "}";
}

}  // namespace dinette::cql::schema
