#include "dynamodb/tables/new_table_checks.h"

#include <algorithm>
#include <set>

#include "dynamodb/api/create_table.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/key_schema_element.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/local_secondary_index.h"
#include "dynamodb/api/stream_specification.h"
#include "dynamodb/tables/index_definition_checks.h"
#include "dynamodb/tables/key_names.h"
#include "dynamodb/tables/resource_policy.h"
#include "dynamodb/tables/table_encryption.h"
#include "dynamodb/tables/table_throughput.h"
#include "dynamodb/tables/tags.h"
#include "dynamodb/tables/vector_index_checks.h"

namespace dinette::dynamodb {
namespace {

using KeySchema = std::vector<api::KeySchemaElement>;
using IndexNames = std::set<std::string, std::less<>>;

template <class Indexes>
bool none(const std::optional<Indexes>& indexes) {
  return !indexes || indexes->empty();
}

// --- Billing

Answer<void> check_billing(const Context& context, const api::CreateTableInput& input) {
  const api::BillingMode mode = input.billing_mode;
  const ThroughputOwner table{context.region};
  DINETTE_CHECK(check_provisioned(TableRequest::create, mode, input.provisioned_throughput));
  DINETTE_CHECK(check_units(table, input.provisioned_throughput));
  DINETTE_CHECK(check_ceilings(TableRequest::create, mode, table, input.on_demand_throughput));
  return check_new_warm_units(table, mode, input.provisioned_throughput, input.warm_throughput);
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
    return validation("Attribute Name is duplicated: " + definition.attribute_name);
  }
  return names;
}

Answer<void> check_table_keys(const api::CreateTableInput& input, const KeyNames& defined) {
  const auto is_defined = [&](const auto& element) { return defined.contains(element.attribute_name); };
  const bool too_few =
      defined.size() < input.key_schema.size();  // so one name is given as both HASH and RANGE
  if (too_few || !std::ranges::all_of(input.key_schema, is_defined)) {
    return validation("Invalid KeySchema: Some index key attribute have no definition");
  }
  return check_key_order(input.key_schema);
}

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

/// The key schemas of all indexes, by themselves.
Answer<void> check_index_schemas(const api::CreateTableInput& input) {
  if (input.global_secondary_indexes) {
    for (const auto& index : *input.global_secondary_indexes)
      DINETTE_CHECK(check_global_keys(index.key_schema));
  }
  if (!input.local_secondary_indexes) return {};
  for (const auto& index : *input.local_secondary_indexes) DINETTE_CHECK(check_local_keys(input, index));
  return {};
}

/// Adds the key attributes of indexes to those used, all of which are defined.
template <class Indexes>
Answer<void> add_used(const std::optional<Indexes>& indexes, const KeyNames& defined, KeyNames& used) {
  if (!indexes) return {};
  for (const auto& index : *indexes) {
    KeyNames keys;
    add_names(keys, index.key_schema);
    DINETTE_CHECK(check_defined(keys, defined));
    used.merge(keys);
  }
  return {};
}

/// The same of vector indexes.
Answer<void> add_used_of_vectors(const api::CreateTableInput& input, const KeyNames& defined,
                                 KeyNames& used) {
  if (!input.vector_indexes) return {};
  for (const auto& index : *input.vector_indexes) {
    DINETTE_CHECK(check_vector_attributes(index, defined));
    add_search_names(used, index);
  }
  return {};
}

Answer<void> check_keys(const api::CreateTableInput& input) {
  DINETTE_TRY(const KeyNames defined, defined_names(input));
  DINETTE_CHECK(check_table_keys(input, defined));
  DINETTE_CHECK(check_index_schemas(input));
  KeyNames used;
  add_names(used, input.key_schema);
  DINETTE_CHECK(add_used(input.global_secondary_indexes, defined, used));
  DINETTE_CHECK(add_used(input.local_secondary_indexes, defined, used));
  DINETTE_CHECK(add_used_of_vectors(input, defined, used));
  if (defined == used) return {};
  if (none(input.global_secondary_indexes) && none(input.local_secondary_indexes) &&
      none(input.vector_indexes)) {
    return invalid(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return invalid("Some AttributeDefinitions are not used. AttributeDefinitions: " + listing(defined) +
                 ", keys used: " + listing(used));
}

// --- Indexes

Answer<void> add_name(const std::string& name, IndexNames& names) {
  if (!names.insert(name).second) return invalid("Duplicate index name: " + name);
  return {};
}

Answer<void> check_global_indexes(const Context& context, const api::CreateTableInput& input,
                                  IndexNames& names, std::size_t& projected_attributes) {
  const auto& indexes = *input.global_secondary_indexes;
  if (indexes.empty()) return invalid("List of GlobalSecondaryIndexes is empty");
  if (indexes.size() > model::limits::global_indexes) {
    return invalid("GlobalSecondaryIndex count exceeds the per-table limit of " +
                   std::to_string(model::limits::global_indexes));
  }
  for (const auto& index : indexes) {
    DINETTE_CHECK(add_name(index.index_name, names));
    DINETTE_CHECK(check_projection(index.projection));
    DINETTE_CHECK(check_index_throughput(TableRequest::create, context.region, input.billing_mode, index));
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
    DINETTE_CHECK(check_projection(index.projection));
    projected_attributes += count_projected(index.projection);
  }
  return {};
}

Answer<void> check_vector_indexes(const api::CreateTableInput& input, IndexNames& names) {
  const auto& indexes = *input.vector_indexes;
  if (indexes.empty()) return invalid("List of VectorIndexes is empty");
  if (indexes.size() > model::limits::vector_indexes) {
    return invalid("VectorIndex count exceeds the per-table limit of " +
                   std::to_string(model::limits::vector_indexes));
  }
  if (input.billing_mode != api::BillingMode::pay_per_request) return only_on_demand();
  for (const auto& index : indexes) {
    DINETTE_CHECK(add_name(index.index_name, names));
    DINETTE_CHECK(check_vector_definition(index));
  }
  return check_same_dimensions(indexes);
}

Answer<void> check_indexes(const Context& context, const api::CreateTableInput& input) {
  IndexNames names;
  std::size_t projected_attributes = 0;
  if (input.global_secondary_indexes) {
    DINETTE_CHECK(check_global_indexes(context, input, names, projected_attributes));
  }
  if (input.local_secondary_indexes) DINETTE_CHECK(check_local_indexes(input, names, projected_attributes));
  if (input.vector_indexes) DINETTE_CHECK(check_vector_indexes(input, names));
  return check_projected(projected_attributes);
}

// --- Stream and policy

Answer<void> check_stream(const std::optional<api::StreamSpecification>& stream) {
  if (!stream) return {};
  if (!stream->stream_enabled && stream->stream_view_type) {
    return invalid("Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  if (stream->stream_enabled && !stream->stream_view_type) {
    return invalid("Table is being created with a stream enabled, UpdateViewType is required");
  }
  return {};
}

}  // namespace

Answer<void> check_new_table(const Context& context, const api::CreateTableInput& input) {
  // Such a request may have no keys to check.
  if (input.global_table_source_arn) return {};
  DINETTE_CHECK(check_billing(context, input));
  DINETTE_CHECK(check_keys(input));
  DINETTE_CHECK(check_indexes(context, input));
  DINETTE_CHECK(check_stream(input.stream_specification));
  DINETTE_CHECK(check_encryption(input.sse_specification));
  if (input.tags) DINETTE_CHECK(check_new_tags(*input.tags));
  return input.resource_policy ? check_policy(context, *input.resource_policy) : Answer<void>();
}

}  // namespace dinette::dynamodb
