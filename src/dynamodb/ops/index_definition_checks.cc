#include "dynamodb/ops/index_definition_checks.h"

#include <algorithm>
#include <set>

#include "dynamodb/api/limits.h"
#include "dynamodb/ops/table_throughput.h"

namespace dinette::dynamodb::ops {
Answer<void> check_index_throughput(api::BillingMode mode, const api::GlobalSecondaryIndex& index) {
  if (mode == api::BillingMode::provisioned && !index.provisioned_throughput) {
    return invalid("ProvisionedThroughput must be specified for index: " + index.index_name);
  }
  if (mode == api::BillingMode::pay_per_request && index.provisioned_throughput) {
    return invalid("ProvisionedThroughput should not be specified for index: " + index.index_name +
                   " when BillingMode is PAY_PER_REQUEST");
  }
  return check_ceilings(CeilingChange::create, mode, "index " + index.index_name, index.on_demand_throughput);
}

Answer<void> check_projection(const api::Projection& projection) {
  if (!projection.projection_type) return invalid("Unknown ProjectionType: null");
  const bool include = *projection.projection_type == api::ProjectionType::include;
  if (include && !projection.non_key_attributes) {
    return invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  if (include || !projection.non_key_attributes) return {};
  return invalid("ProjectionType is " + std::string(to_string(*projection.projection_type)) +
                 ", but NonKeyAttributes is specified");
}

std::size_t count_projected(const api::Projection& projection) {
  return projection.non_key_attributes ? projection.non_key_attributes->size() : 0;
}

Answer<void> check_projected(std::size_t attributes) {
  if (attributes <= model::limits::projected_attributes) return {};
  return invalid("Number of projected attributes over all indexes exceeds the per-table limit of " +
                 std::to_string(model::limits::projected_attributes));
}

Answer<void> check_global_keys(const api::GlobalSecondaryIndex& index) {
  const auto first_range =
      std::ranges::find(index.key_schema, api::KeyType::range, &api::KeySchemaElement::key_type);
  const auto hashes = static_cast<std::size_t>(first_range - index.key_schema.begin());
  const std::size_t ranges = index.key_schema.size() - hashes;
  if (hashes == 0) return validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  const bool mixed = std::any_of(first_range, index.key_schema.end(),
                                 [](const auto& element) { return element.key_type == api::KeyType::hash; });
  if (mixed) return validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  if (hashes > model::limits::index_hash_elements || ranges > model::limits::index_range_elements) {
    return invalid("Too many KeySchema elements for index: " + index.index_name);
  }
  std::set<std::string_view> names;
  for (const auto& element : index.key_schema) names.insert(element.attribute_name);
  if (names.size() == index.key_schema.size()) return {};
  return validation("Both the Hash Key and the Range Key element in the KeySchema have the same name");
}

}  // namespace dinette::dynamodb::ops
