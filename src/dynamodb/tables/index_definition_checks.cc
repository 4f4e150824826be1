#include "dynamodb/tables/index_definition_checks.h"

#include <algorithm>
#include <set>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_secondary_index.h"
#include "dynamodb/api/key_schema_element.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/projection.h"

namespace dinette::dynamodb {
namespace {

Answer<void> check_index_units(TableRequest request, api::BillingMode mode,
                               const api::GlobalSecondaryIndex& index) {
  const std::string of_index = "for index: " + index.index_name;
  const bool create = request == TableRequest::create;
  if (mode == api::BillingMode::provisioned && !index.provisioned_throughput) {
    return invalid((create ? "ProvisionedThroughput is not specified "
                           : "Both ReadCapacityUnits and WriteCapacityUnits must be specified ") +
                   of_index);
  }
  if (mode == api::BillingMode::pay_per_request && index.provisioned_throughput) {
    return invalid((create ? "ProvisionedThroughput should not be specified "
                           : "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified ") +
                   of_index + " when BillingMode is PAY_PER_REQUEST");
  }
  return {};
}

template <class Names>
auto find_duplicate(const Names& names) {
  std::set<std::string_view> seen;
  return std::ranges::find_if(names, [&](std::string_view name) { return !seen.insert(name).second; });
}

}  // namespace

Answer<void> check_index_throughput(TableRequest request, std::string_view region, api::BillingMode mode,
                                    const api::GlobalSecondaryIndex& index) {
  DINETTE_CHECK(check_index_units(request, mode, index));
  const ThroughputOwner owner{region, index.index_name};
  DINETTE_CHECK(check_units(owner, index.provisioned_throughput));
  DINETTE_CHECK(check_ceilings(TableRequest::create, mode, owner, index.on_demand_throughput));
  return check_new_warm_units(owner, mode, index.provisioned_throughput, index.warm_throughput);
}

Answer<void> check_projection(const api::Projection& projection) {
  if (!projection.projection_type) return invalid("Unknown ProjectionType: null");
  const bool include = *projection.projection_type == api::ProjectionType::include;
  const auto& attributes = projection.non_key_attributes;
  if (include && !attributes)
    return invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  if (!attributes) return {};
  if (!include) {
    return invalid("ProjectionType is " + std::string(to_string(*projection.projection_type)) +
                   ", but NonKeyAttributes is specified");
  }
  const auto duplicate = find_duplicate(*attributes);
  if (duplicate == attributes->end()) return {};
  return invalid("Duplicate element in NonKeyAttributes: " + *duplicate);
}

std::size_t count_projected(const api::Projection& projection) {
  return projection.non_key_attributes ? projection.non_key_attributes->size() : 0;
}

Answer<void> check_projected(std::size_t attributes) {
  if (attributes <= model::limits::projected_attributes) return {};
  return invalid("Number of projected attributes over all indexes exceeds the per-table limit of " +
                 std::to_string(model::limits::projected_attributes));
}

Answer<void> check_global_keys(const std::vector<api::KeySchemaElement>& key_schema) {
  using api::KeyType;
  const auto type = &api::KeySchemaElement::key_type;
  if (key_schema.front().key_type != KeyType::hash)
    return validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  if (!std::ranges::is_partitioned(
          key_schema, [](KeyType role) { return role == KeyType::hash; }, type))
    return invalid("All HASH key attributes must precede RANGE key attributes in the KeySchema");
  const auto hashes = static_cast<std::size_t>(std::ranges::count(key_schema, KeyType::hash, type));
  if (hashes > model::limits::index_hash_elements)
    return invalid("The KeySchema exceeds the maximum allowed number of HASH key attributes");
  if (key_schema.size() - hashes > model::limits::index_range_elements)
    return invalid("The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  std::vector<std::string_view> names;
  for (const auto& element : key_schema) names.push_back(element.attribute_name);
  if (find_duplicate(names) == names.end()) return {};
  return validation("The KeySchema contains multiple key attributes with the same name");
}

}  // namespace dinette::dynamodb
