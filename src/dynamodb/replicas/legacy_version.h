#pragma once

#include <string_view>

#include "dynamodb/request/api_error.h"

/// Global tables of the version 2017.11.29, which the service makes no more: there are none
/// (docs/service/global-tables.md section 2).
namespace dinette::dynamodb {

/// Refuses a replica in a region that the service does not know; `place` is where the request names it.
Answer<void> check_legacy_region(std::string_view region, std::string_view place);

/// Refuses a region in which this version never was.
Answer<void> check_had_legacy_version(std::string_view region);

/// Returns the refusal of everything that would make a replica.
base::Failure<ApiError> legacy_version_refused();

/// Returns GlobalTableNotFoundException.
base::Failure<ApiError> no_legacy_table(std::string_view name);

}  // namespace dinette::dynamodb
