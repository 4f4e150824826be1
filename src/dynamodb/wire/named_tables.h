#pragma once

#include <string_view>
#include <vector>

#include "dinette/aws/json.h"

namespace dinette::dynamodb::wire {

/// Returns the tables that a request names by name or ARN, as a member of its own or in its list of keys,
/// writes or actions; some perhaps twice. Not those of PartiQL statements. The names are views of the
/// request.
std::vector<std::string_view> named_tables(aws::JsonObject request);

}  // namespace dinette::dynamodb::wire
