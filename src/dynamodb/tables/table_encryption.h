#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/api/sse_specification.h"
#include "dynamodb/request/context.h"

/// Encryption with a key of the account (docs/service/tables.md section 4, "Encryption").
namespace dinette::dynamodb {

/// The members of a specification fit each other.
Answer<void> check_encryption(const std::optional<api::SSESpecification>& wanted);

/// Checks that an update changes the encryption of a table with the key `current`, or the default one.
Answer<void> check_encryption_change(const std::optional<std::string>& current,
                                     const std::optional<api::SSESpecification>& wanted);

/// Returns the ARN of a key, which may be one already; `name`: the id of the key, or an alias.
std::string arn_of_key(std::string_view region, std::string_view account, std::string_view name);
/// Returns the ARN of the key that an account has for DynamoDB in a region.
std::string managed_key_arn(std::string_view region, std::string_view account);
/// Returns true for a key that a client has named.
bool is_customer_key(const std::optional<std::string>& key_arn);

/// The ARN of the key that a table is to be encrypted with: the one named, else the account's own for
/// DynamoDB. Nothing if the service's key will do.
std::optional<std::string> key_arn(const Context& context,
                                   const std::optional<api::SSESpecification>& wanted);

}  // namespace dinette::dynamodb
