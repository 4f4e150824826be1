#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dinette/aws/json.h"
#include "dinette/tenancy/faults.h"

#include "dynamodb/request/context.h"
#include "dynamodb/wire/endpoint.h"

namespace dinette::dynamodb::wire {

/// Returns the tables and items that a request names, as rules of faults look at them: the tables also of
/// PartiQL statements, the items also of batches and transactions.
std::vector<tenancy::FaultTarget> fault_targets(const Context& context, const Endpoint& endpoint,
                                                aws::JsonObject request);

/// Returns an attribute as fault_targets() writes it; nothing if the value is no String, Number or Binary.
std::optional<tenancy::FaultAttribute> fault_attribute(std::string_view name, std::string_view type,
                                                       std::string_view value);

}  // namespace dinette::dynamodb::wire
