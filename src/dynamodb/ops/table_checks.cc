#include "dynamodb/ops/table_checks.h"

#include <algorithm>
#include <set>

#include "dynamodb/api/limits.h"
#include "dynamodb/ops/index_definition_checks.h"
#include "dynamodb/ops/key_names.h"
#include "dynamodb/ops/table_throughput.h"
#include "dynamodb/ops/tags.h"

namespace dinette::dynamodb::ops {
namespace {

using KeySchema = std::vector<api::KeySchemaElement>;
using IndexNames = std::set<std::string, std::less<>>;

template <class Indexes>
bool none(const std::optional<Indexes>& indexes) {
  return !indexes || indexes->empty();
}

api::BillingMode billing_mode(const api::CreateTableInput& input) {
  return input.billing_mode.value_or(api::BillingMode::provisioned);
}

// --- Billing

Answer<void> check_billing(const api::CreateTableInput& input) {
  const api::BillingMode mode = billing_mode(input);
  DINETTE_CHECK(check_provisioned(mode, input.provisioned_throughput));
  DINETTE_CHECK(check_ceilings(CeilingChange::create, mode, "table", input.on_demand_throughput));
  if (!input.global_secondary_indexes) return {};
  for (const auto& index : *input.global_secondary_indexes)
    DINETTE_CHECK(check_index_throughput(mode, index));
  return {};
}

// --- Keys

Answer<void> check_key_order(const KeySchema& schema) {
  if (schema.front().key_type != api::KeyType::hash) {
    return validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (schema.size() < 2) return {};
  if (schema[1].key_type != api::KeyType::range) {
    return validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  if (schema[0].attribute_name == schema[1].attribute_name) {
    return validation("Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  return {};
}

Answer<KeyNames> defined_names(const api::CreateTableInput& input) {
  KeyNames names;
  for (const auto& definition : input.attribute_definitions) {
    if (names.insert(definition.attribute_name).second) continue;
    return invalid("Duplicate AttributeName in AttributeDefinitions: " + definition.attribute_name);
  }
  return names;
}

KeyNames used_names(const api::CreateTableInput& input) {
  KeyNames names;
  add_names(names, input.key_schema);
  if (input.global_secondary_indexes) {
    for (const auto& index : *input.global_secondary_indexes) add_names(names, index.key_schema);
  }
  if (input.local_secondary_indexes) {
    for (const auto& index : *input.local_secondary_indexes) add_names(names, index.key_schema);
  }
  return names;
}

Answer<void> check_keys(const api::CreateTableInput& input) {
  DINETTE_TRY(const KeyNames defined, defined_names(input));
  const auto is_defined = [&](const auto& element) { return defined.contains(element.attribute_name); };
  const bool too_few =
      defined.size() < input.key_schema.size();  // so one name is given as both HASH and RANGE
  if (too_few || !std::ranges::all_of(input.key_schema, is_defined)) {
    return validation("Invalid KeySchema: Some index key attribute have no definition");
  }
  DINETTE_CHECK(check_key_order(input.key_schema));
  const KeyNames used = used_names(input);
  DINETTE_CHECK(check_defined(used, defined));
  if (defined == used) return {};
  if (none(input.global_secondary_indexes) && none(input.local_secondary_indexes)) {
    return invalid(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return invalid("Some AttributeDefinitions are not used. AttributeDefinitions: " + listing(defined) +
                 ", keys used: " + listing(used));
}

// --- Indexes

Answer<void> check_local_keys(const api::CreateTableInput& input, const api::LocalSecondaryIndex& index) {
  if (input.key_schema.size() < 2) {
    return invalid(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  DINETTE_CHECK(check_key_order(index.key_schema));
  if (index.key_schema.size() < 2) {
    return invalid("Index KeySchema does not have a range key for index: " + index.index_name);
  }
  const std::string& index_hash = index.key_schema.front().attribute_name;
  const std::string& table_hash = input.key_schema.front().attribute_name;
  if (index_hash == table_hash) return {};
  return invalid("Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
                 index.index_name + ". index hash key: " + index_hash + ", table hash key: " + table_hash);
}

Answer<void> add_name(const std::string& name, IndexNames& names) {
  if (!names.insert(name).second) return invalid("Duplicate index name: " + name);
  return {};
}

Answer<void> check_global_indexes(const std::vector<api::GlobalSecondaryIndex>& indexes, IndexNames& names,
                                  std::size_t& projected_attributes) {
  if (indexes.empty()) return invalid("List of GlobalSecondaryIndexes is empty");
  if (indexes.size() > model::limits::global_indexes) {
    return invalid("GlobalSecondaryIndex count exceeds the per-table limit of " +
                   std::to_string(model::limits::global_indexes));
  }
  for (const auto& index : indexes) {
    DINETTE_CHECK(add_name(index.index_name, names));
    DINETTE_CHECK(check_global_keys(index));
    DINETTE_CHECK(check_projection(index.projection));
    projected_attributes += count_projected(index.projection);
  }
  return {};
}

Answer<void> check_local_indexes(const api::CreateTableInput& input, IndexNames& names,
                                 std::size_t& projected_attributes) {
  const auto& indexes = *input.local_secondary_indexes;
  if (indexes.empty()) return invalid("List of LocalSecondaryIndexes is empty");
  if (indexes.size() > model::limits::local_indexes) {
    return invalid("Number of LocalSecondaryIndexes exceeds per-table limit of " +
                   std::to_string(model::limits::local_indexes));
  }
  for (const auto& index : indexes) {
    DINETTE_CHECK(add_name(index.index_name, names));
    DINETTE_CHECK(check_local_keys(input, index));
    DINETTE_CHECK(check_projection(index.projection));
    projected_attributes += count_projected(index.projection);
  }
  return {};
}

Answer<void> check_indexes(const api::CreateTableInput& input) {
  IndexNames names;
  std::size_t projected_attributes = 0;
  if (input.global_secondary_indexes) {
    DINETTE_CHECK(check_global_indexes(*input.global_secondary_indexes, names, projected_attributes));
  }
  if (input.local_secondary_indexes) DINETTE_CHECK(check_local_indexes(input, names, projected_attributes));
  return check_projected(projected_attributes);
}

// --- Stream, policy, and what is not served yet

Answer<void> check_stream(const std::optional<api::StreamSpecification>& stream) {
  if (!stream) return {};
  if (!stream->stream_enabled && stream->stream_view_type) {
    return invalid("Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  if (stream->stream_enabled && !stream->stream_view_type) {
    return invalid("Table is being created with a stream enabled, UpdateViewType must be specified");
  }
  return {};
}

Answer<void> check_resource_policy(const std::optional<std::string>& policy) {
  if (!policy || policy->size() <= model::limits::resource_policy_bytes) return {};
  return invalid("The resource policy exceeds the maximum size of " +
                 std::to_string(model::limits::resource_policy_bytes) + " bytes");
}

Answer<void> check_served(const api::CreateTableInput& input) {
  if (input.vector_indexes) return invalid("VectorIndexes is not supported by Dinette yet");
  if (input.global_table_source_arn) return invalid("GlobalTableSourceArn is not supported by Dinette yet");
  if (input.global_table_settings_replication_mode) {
    return invalid("GlobalTableSettingsReplicationMode is not supported by Dinette yet");
  }
  return {};
}

}  // namespace

Answer<void> check_new_table(const api::CreateTableInput& input) {
  DINETTE_CHECK(check_billing(input));
  DINETTE_CHECK(check_keys(input));
  DINETTE_CHECK(check_indexes(input));
  DINETTE_CHECK(check_stream(input.stream_specification));
  if (input.tags) DINETTE_CHECK(check_tags(*input.tags));
  DINETTE_CHECK(check_resource_policy(input.resource_policy));
  return check_served(input);
}

}  // namespace dinette::dynamodb::ops
