#include "dynamodb/replicas/legacy_version.h"

#include <string>

#include "dynamodb/replicas/regions.h"

namespace dinette::dynamodb {

Answer<void> check_legacy_region(std::string_view region, std::string_view place) {
  if (may_have_replica(region)) return {};
  return invalid("1 validation error detected: Value '" + std::string(region) + "' at '" +
                 std::string(place) +
                 "' failed to satisfy constraint: Member must satisfy enum value set: " + regions_in_words());
}

Answer<void> check_had_legacy_version(std::string_view region) {
  if (!is_newer_than_legacy(region)) return {};
  return invalid("DynamoDB global tables version 2017.11.29 is not supported in this region '" +
                 std::string(region) + "', supported regions are : " + legacy_regions_in_words() +
                 ". We recommend using DynamoDB global tables version 2019.11.21, supported regions are : [" +
                 regions_in_words() + "].");
}

base::Failure<ApiError> legacy_version_refused() {
  return invalid(
      "DynamoDB global tables version 2017.11.29 is not supported. We recommend using DynamoDB global tables "
      "version 2019.11.21, instead of version 2017.11.29 (Legacy).");
}

base::Failure<ApiError> no_legacy_table(std::string_view name) {
  return base::Failure{ApiError{
      api::ErrorCode::global_table_not_found_exception,
      "Global table not found: Global table with name: '" + std::string(name) + "' does not exist."}};
}

}  // namespace dinette::dynamodb
