#pragma once

#include <optional>
#include <string>

#include "dynamodb/api/types.h"
#include "dynamodb/ops/context.h"

namespace dinette::dynamodb::ops {

/// The ARN of the key that a table asked to be encrypted with: the one named, else the account's own for
/// DynamoDB. Nothing when the service's key will do (facts: tables.md section 4, "Encryption").
std::optional<std::string> key_arn(const Context& context,
                                   const std::optional<api::SSESpecification>& wanted);

}  // namespace dinette::dynamodb::ops
