#include "cql/schema/properties.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "dinette/base/ascii.h"

#include "cql/schema/auto_scaling.h"
#include "cql/schema/names.h"

namespace dinette::cql::schema {
namespace {

using grammar::Properties;
using grammar::PropertyValue;

constexpr std::int64_t longest_time_to_live = 630'720'000;
/// Of capacity and of encryption, before a change needs an interval without one.
constexpr std::size_t free_changes = 4;
constexpr std::string_view only_factor = "3";
constexpr std::string_view package_of_strategies = "org.apache.cassandra.locator.";

constexpr std::size_t most_tags = 50;
constexpr std::size_t longest_tag_key = 128;
constexpr std::size_t longest_tag_value = 256;

/// Options that Cassandra has, and that the service accepts without effect.
constexpr std::array<std::string_view, 13> ignored_options = {"bloom_filter_fp_chance",
                                                              "caching",
                                                              "compaction",
                                                              "compression",
                                                              "crc_check_chance",
                                                              "dclocal_read_repair_chance",
                                                              "extensions",
                                                              "gc_grace_seconds",
                                                              "max_index_interval",
                                                              "memtable_flush_period_in_ms",
                                                              "min_index_interval",
                                                              "read_repair_chance",
                                                              "speculative_retry"};

constexpr std::array<std::string_view, 4> view_types = {"NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE",
                                                        "KEYS_ONLY"};

base::Failure<Error> unrecognized_option(std::string_view option, std::string_view strategy,
                                         std::string_view keyspace) {
  return configuration_error("Unrecognized strategy option {" + std::string(option) + "} passed to " +
                             std::string(strategy) + " for keyspace " + std::string(keyspace));
}

/// SimpleStrategy, which the service stores with its own factor.
Answer<Replication> simple_replication(const Place& place, std::string_view keyspace,
                                       const PropertyValue& map) {
  const PropertyValue* factor = nullptr;
  for (const auto& [name, value] : map.entries) {
    if (name == "class") continue;
    if (name != "replication_factor") return unrecognized_option(name, "SimpleStrategy", keyspace);
    factor = &value;
  }
  if (factor == nullptr)
    return configuration_error("SimpleStrategy requires a replication_factor strategy option.");
  if (!number_of(*factor))
    return configuration_error("Replication factor must be numeric; found " + factor->text);
  if (*number_of(*factor) < 0)
    return configuration_error("Replication factor must be non-negative; found " + factor->text);
  Replication replication{.strategy = Replication::Strategy::simple};
  if (!place.strict()) replication.factor = factor->text;
  return replication;
}

Answer<void> check_region(const Place& place, std::string_view keyspace, std::string_view region,
                          const PropertyValue& factor) {
  const bool known =
      region == place.region || is_region(region) || (!place.strict() && region == "replication_factor");
  if (!known) return unrecognized_option(region, "NetworkTopologyStrategy", keyspace);
  if (!number_of(factor))
    return configuration_error("Replication factor must be numeric; found " + factor.text);
  if (place.strict() && factor.text != only_factor) {
    return configuration_error("Invalid replication factor for region " + std::string(region) +
                               ": only 3 is supported");
  }
  return {};
}

Answer<Replication> network_replication(const Place& place, std::string_view keyspace,
                                        const PropertyValue& map) {
  Replication replication{.strategy = Replication::Strategy::network};
  for (const auto& [name, value] : map.entries) {
    if (name == "class") continue;
    DINETTE_CHECK(check_region(place, keyspace, name, value));
    replication.regions.emplace(name == "replication_factor" ? std::string(place.region) : name, value.text);
  }
  const bool here = replication.regions.contains(place.region);
  if (place.strict() && (replication.regions.size() < 2 || !here))
    return configuration_error("NetworkTopologyStrategy requires at least two regions");
  return replication;
}

base::Failure<Error> bad_property(std::string_view property) {
  return invalid("Invalid value for custom property '" + std::string(property) + "'.");
}

/// Sets what can be turned on and never off.
Answer<void> apply_once(std::string_view property, const PropertyValue& map, bool& enabled) {
  DINETTE_TRY(const bool wanted, read_status(property, map));
  if (enabled && !wanted) return invalid("'" + std::string(property) + "' cannot be disabled once enabled.");
  enabled = wanted;
  return {};
}

/// Notes a change of what may change a number of times per period, and then once after each interval without
/// a change.
Answer<void> note_change(const Place& place, base::TimePoint period, std::chrono::hours interval,
                         std::string_view what, std::vector<base::TimePoint>& changes) {
  if (!place.strict()) return {};
  std::erase_if(changes, [&](base::TimePoint time) { return time < period || time > place.now; });
  const bool is_free = changes.size() < free_changes || place.now - changes.back() >= interval;
  if (!is_free) return quota_exceeded(what, free_changes);
  changes.push_back(place.now);
  return {};
}

/// docs/service-keyspaces/ddl.md section 6.
Answer<void> note_decrease(const Place& place, const Capacity& before, Capacity& capacity) {
  const bool decreased =
      before.provisioned && capacity.provisioned &&
      (capacity.read_units < before.read_units || capacity.write_units < before.write_units);
  if (!decreased) return {};
  const auto day = std::chrono::floor<std::chrono::days>(place.now);
  return note_change(place, day, std::chrono::hours(1), "number of capacity decreases per day",
                     capacity.decreases);
}

Answer<void> apply_capacity(const Place& place, const PropertyValue& map, Capacity& capacity) {
  const Capacity before = capacity;
  for (const auto& [name, value] : map.entries) {
    const bool known =
        name == "throughput_mode" || name == "read_capacity_units" || name == "write_capacity_units";
    if (!known) return bad_property("capacity_mode");
  }
  const PropertyValue* const mode = entry_of(map, "throughput_mode");
  const PropertyValue* const read = entry_of(map, "read_capacity_units");
  const PropertyValue* const write = entry_of(map, "write_capacity_units");
  if (mode == nullptr) return bad_property("capacity_mode");
  if (mode->text == "PAY_PER_REQUEST") {
    if (read != nullptr || write != nullptr) return bad_property("capacity_mode");
    if (capacity.provisioned) capacity.on_demand_since = place.now;
    capacity.provisioned = false;
    capacity.read_units = capacity.write_units = 0;
    return {};
  }
  if (mode->text != "PROVISIONED") return bad_property("capacity_mode");
  if (read == nullptr || write == nullptr) {
    return invalid(
        "'PROVISIONED' throughput mode requires 'read_capacity_units' and 'write_capacity_units' to be set "
        "using 'capacity_mode' option");
  }
  const auto read_units = number_of(*read);
  const auto write_units = number_of(*write);
  if (!read_units || !write_units || *read_units < 1 || *write_units < 1)
    return bad_property("capacity_mode");
  if (place.strict() && std::max(*read_units, *write_units) > most_capacity_units)
    return quota_exceeded("number of capacity units of a table", most_capacity_units);
  capacity.provisioned = true;
  capacity.read_units = *read_units;
  capacity.write_units = *write_units;
  return note_decrease(place, before, capacity);
}

/// Changes to a key of AWS are always possible.
Answer<void> apply_encryption(const Place& place, const PropertyValue& map, bool created,
                              TableOptions& options) {
  const PropertyValue* const type = entry_of(map, "encryption_type");
  const PropertyValue* const key = entry_of(map, "kms_key_identifier");
  if (type == nullptr) return bad_property("encryption_specification");
  const bool own = type->text == "CUSTOMER_MANAGED_KMS_KEY";
  if (!own && type->text != "AWS_OWNED_KMS_KEY") return bad_property("encryption_specification");
  if (own != (key != nullptr && !key->text.empty())) return bad_property("encryption_specification");
  const std::string wanted = own ? key->text : "";
  if (own && !created && wanted != options.kms_key) {
    DINETTE_CHECK(note_change(place, place.now - std::chrono::hours(24), std::chrono::hours(6),
                              "number of encryption changes per day", options.encryption_changes));
  }
  options.kms_key = wanted;
  return {};
}

Answer<void> apply_cdc_specification(const PropertyValue& map, ChangeCapture& cdc) {
  const PropertyValue* const type = entry_of(map, "view_type");
  if (type == nullptr || std::ranges::find(view_types, type->text) == view_types.end())
    return bad_property("cdc_specification");
  if (cdc.enabled && cdc.view_type != type->text) return bad_property("cdc_specification");
  cdc.view_type = type->text;
  return {};
}

/// What is warm only grows (docs/service-keyspaces/capacity.md section 3).
Answer<void> apply_warm_throughput(const PropertyValue& map, Capacity& capacity) {
  if (!map.is_map) return bad_property("warm_throughput");
  for (const auto& [name, value] : map.entries) {
    const bool reads = name == "read_units_per_second";
    if (!reads && name != "write_units_per_second") return bad_property("warm_throughput");
    std::int64_t& units = reads ? capacity.warm_read_units : capacity.warm_write_units;
    const auto wanted = number_of(value);
    if (!wanted || *wanted < units) return bad_property("warm_throughput");
    units = *wanted;
  }
  return {};
}

Answer<void> apply_replicas(const PropertyValue& map, TableOptions& options) {
  if (!map.is_map) return bad_property("replica_updates");
  for (const auto& [region, replica] : map.entries) {
    const PropertyValue* const read = entry_of(replica, "read_capacity_units");
    const auto units = read != nullptr ? number_of(*read) : std::nullopt;
    if (!is_region(region) || !units || *units < 1) return bad_property("replica_updates");
    options.replica_read_units.insert_or_assign(region, *units);
  }
  return {};
}

Answer<void> apply_custom_property(const Place& place, const std::string& name, const PropertyValue& value,
                                   bool created, TableOptions& options) {
  if (name == "capacity_mode") return apply_capacity(place, value, options.capacity);
  if (name == "client_side_timestamps") return apply_once(name, value, options.client_side_timestamps);
  if (name == "ttl") return apply_once(name, value, options.time_to_live);
  if (name == "encryption_specification") return apply_encryption(place, value, created, options);
  if (name == "cdc_specification") return apply_cdc_specification(value, options.cdc);
  if (name == "replica_updates") return apply_replicas(value, options);
  if (name == "warm_throughput") return apply_warm_throughput(value, options.capacity);
  if (name != "point_in_time_recovery") return invalid("Unknown custom property '" + name + "'.");
  DINETTE_TRY(const bool recoverable, read_status(name, value));
  if (recoverable && !options.point_in_time_recovery) options.recoverable_since = place.now;
  options.point_in_time_recovery = recoverable;
  return {};
}

Answer<void> apply_custom_properties(const Place& place, const PropertyValue& map, bool created,
                                     TableOptions& options) {
  if (!map.is_map) return bad_property("custom_properties");
  if (!created && place.strict() && map.entries.size() > 1)
    return invalid("Only one custom property can be changed in a single ALTER TABLE statement.");
  for (const auto& [name, value] : map.entries)
    DINETTE_CHECK(apply_custom_property(place, name, value, created, options));
  return {};
}

Answer<void> apply_time_to_live(const PropertyValue& value, TableOptions& options) {
  const auto seconds = number_of(value);
  if (!seconds) return syntax_error("Invalid integer value " + value.text + " for 'default_time_to_live'");
  const auto refused = [&](std::string_view bound, std::int64_t limit) {
    return configuration_error("default_time_to_live must be " + std::string(bound) + " than or equal to " +
                               std::to_string(limit) + " (got " + value.text + ")");
  };
  if (*seconds < 0) return refused("greater", 0);
  if (*seconds > longest_time_to_live) return refused("less", longest_time_to_live);
  options.default_time_to_live = static_cast<std::int32_t>(*seconds);
  if (*seconds > 0) options.time_to_live = true;
  return {};
}

Answer<void> apply_cdc(const Place& place, const PropertyValue& value, ChangeCapture& cdc) {
  const bool enabled = base::equal_ignoring_case(value.text, "true");
  if (!enabled && !base::equal_ignoring_case(value.text, "false"))
    return syntax_error("Invalid boolean value " + value.text + " for 'cdc'");
  const bool open = cdc.enabled && !cdc.streams.empty();
  if (open && !enabled) cdc.streams.back().ended = place.now;
  cdc.enabled = enabled;
  return {};
}

/// Cassandra checks it, the service does not (docs/service-keyspaces/errors.md section 6).
Answer<void> check_speculative_retry(const PropertyValue& value) {
  constexpr std::string_view percentile = "percentile";
  constexpr std::string_view milliseconds = "ms";
  std::string text = value.text;
  std::ranges::transform(text, text.begin(), base::to_lower);
  if (text == "none" || text == "always") return {};
  const bool is_percentile = text.ends_with(percentile);
  const std::string_view unit = is_percentile ? percentile : milliseconds;
  const std::string_view digits =
      std::string_view(text).substr(0, text.size() - std::min(text.size(), unit.size()));
  double number = -1;
  const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool fits = text.ends_with(unit) && problem == std::errc() && stop == digits.data() + digits.size() &&
                    number >= 0 && (!is_percentile || number <= 100);
  if (fits) return {};
  return configuration_error("Invalid value " + value.text + " for option 'speculative_retry'");
}

Answer<void> apply_property(const Place& place, const std::string& name, const PropertyValue& value,
                            bool created, Table& table) {
  if (name == "default_time_to_live") return apply_time_to_live(value, table.options);
  if (name == "cdc") return apply_cdc(place, value, table.options.cdc);
  if (name == "custom_properties") return apply_custom_properties(place, value, created, table.options);
  if (name == "autoscaling_settings") return apply_auto_scaling(value, table.options);
  if (name == "tags") return add_tags(value, table.tags);
  if (name == "tags_for_cdc") {  // of the stream: checked, and not kept
    Tags tags;
    return add_tags(value, tags);
  }
  if (name == "comment") {
    table.options.comment = value.text;
    return {};
  }
  if (name == "speculative_retry" && !place.strict()) return check_speculative_retry(value);
  if (std::ranges::find(ignored_options, name) != ignored_options.end()) return {};
  return syntax_error("Unknown property '" + name + "'");
}

/// docs/service-keyspaces/ddl.md section 8.
bool is_tag_text(std::string_view text, std::size_t longest) {
  constexpr std::string_view others = " \t+-=._:/";
  const auto fits = [&](char c) {
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    return !is_ascii || base::is_letter(c) || base::is_digit(c) || others.find(c) != std::string_view::npos;
  };
  const auto is_first_byte = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return !text.empty() && std::ranges::all_of(text, fits) &&
         static_cast<std::size_t>(std::ranges::count_if(text, is_first_byte)) <= longest;
}

base::Failure<Error> invalid_tags() {
  return invalid("Invalid tags.");
}

}  // namespace

Answer<bool> read_status(std::string_view property, const PropertyValue& map) {
  const PropertyValue* const status = entry_of(map, "status");
  if (status == nullptr || map.entries.size() != 1) return bad_property(property);
  if (base::equal_ignoring_case(status->text, "enabled")) return true;
  if (base::equal_ignoring_case(status->text, "disabled")) return false;
  return bad_property(property);
}

const PropertyValue* entry_of(const PropertyValue& map, std::string_view name) {
  if (!map.is_map) return nullptr;
  return find_property(map.entries, name);
}

std::optional<std::int64_t> number_of(const PropertyValue& value) {
  std::int64_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const auto [stop, problem] = std::from_chars(value.text.data(), end, number);
  if (value.is_map || problem != std::errc() || stop != end) return std::nullopt;
  return number;
}

const PropertyValue* find_property(const Properties& properties, std::string_view name) {
  const auto found =
      std::ranges::find(properties, name, [](const auto& one) -> std::string_view { return one.first; });
  return found != properties.end() ? &found->second : nullptr;
}

Answer<Replication> read_replication(const Place& place, std::string_view keyspace,
                                     const Properties& properties) {
  const PropertyValue* const map = find_property(properties, "replication");
  const PropertyValue* const name = map != nullptr ? entry_of(*map, "class") : nullptr;
  if (name == nullptr) return configuration_error("Missing mandatory replication strategy class");
  std::string_view strategy = name->text;
  if (strategy.starts_with(package_of_strategies)) strategy.remove_prefix(package_of_strategies.size());
  if (strategy == "SimpleStrategy") return simple_replication(place, keyspace, *map);
  if (strategy == "NetworkTopologyStrategy") return network_replication(place, keyspace, *map);
  if (strategy != "SingleRegionStrategy") {
    return configuration_error("Unable to find replication strategy class '" +
                               std::string(package_of_strategies) + std::string(strategy) + "'");
  }
  for (const auto& [option, value] : map->entries) {
    if (option != "class") return unrecognized_option(option, strategy, keyspace);
  }
  return Replication();
}

Answer<void> apply_properties(const Place& place, const Properties& properties, bool created, Table& table) {
  // The type of a stream's view is fixed once the stream begins.
  for (const bool late : {false, true}) {
    for (const auto& [name, value] : properties) {
      if ((name == "cdc") == late) DINETTE_CHECK(apply_property(place, name, value, created, table));
    }
  }
  const bool scales = table.options.read_autoscaling || table.options.write_autoscaling;
  if (scales && !table.options.capacity.provisioned)
    return invalid("AUTOSCALING_SETTINGS require 'PROVISIONED' throughput mode.");
  return {};
}

Answer<void> add_tags(const PropertyValue& given, Tags& tags) {
  if (!given.is_map) return invalid_tags();
  for (const auto& [key, value] : given.entries) {
    if (!is_tag_text(key, longest_tag_key) || key.starts_with("aws:")) return invalid_tags();
    if (value.is_map || !is_tag_text(value.text, longest_tag_value)) return invalid_tags();
    tags.insert_or_assign(key, value.text);
  }
  if (tags.size() > most_tags) return invalid_tags();
  return {};
}

Answer<void> drop_tags(const PropertyValue& given, Tags& tags) {
  if (!given.is_map) return invalid_tags();
  for (const auto& [key, value] : given.entries) tags.erase(key);
  return {};
}

}  // namespace dinette::cql::schema
