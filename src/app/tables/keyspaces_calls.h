#pragma once

#include <optional>
#include <string>

#include "dinette/base/result.h"
#include "dinette/definitions/definitions.h"

#include "app/transfer/transfer.h"

namespace dinette::app {

// Calls of the API of Amazon Keyspaces. All errors are sentences for the user.

ServiceCall keyspaces_call(std::string operation, const definitions::Node& input);

/// Returns the members that name a keyspace, a type or a table in every operation about it.
definitions::Node naming(const definitions::KeyspacesResource& resource);

/// Returns the name of an operation about a resource of this kind: "CreateType" for "Create".
std::string operation_about(const definitions::KeyspacesResource& resource, const std::string& verb);

/// Returns the output of GetKeyspace, GetType or GetTable; nothing if there is none.
base::Result<std::optional<definitions::Node>, std::string> describe_if_there(
    const Transfer& transfer, const definitions::KeyspacesResource& resource);

/// Adds to that output what only other operations say, as far as the definition has it: `tags` and
/// `autoScalingSpecification`.
base::Result<void, std::string> complete_description(const Transfer& transfer,
                                                     const definitions::KeyspacesResource& resource,
                                                     definitions::Node& description);

/// Returns when it is ACTIVE, in all of its regions.
base::Result<void, std::string> wait_until_active(const Transfer& transfer,
                                                  const definitions::KeyspacesResource& resource);

/// Returns when it is not there.
base::Result<void, std::string> wait_until_gone(const Transfer& transfer,
                                                const definitions::KeyspacesResource& resource);

}  // namespace dinette::app
