#pragma once

#include <string>
#include <string_view>

#include "dinette/definitions/definitions.h"

namespace dinette::definitions {

/// Returns `keyspace "shop"`, `Keyspaces table "shop.baskets"`, for messages.
std::string label_of(const KeyspacesResource& resource);

/// Checks what every format has to fulfil: names of the service's form, and the members that CreateKeyspace,
/// CreateType or CreateTable need. Sets the names in `create`; that of a type in small letters, as the
/// service does. Adds the resource to `to.keyspaces`, or its error to `to.errors`; one that is there already
/// is an error.
void add_keyspaces_resource(KeyspacesResource resource, Definitions& to);

/// Gives tables the timestamps of clients if their keyspaces say that all have them.
void share_client_side_timestamps(Definitions& definitions);

}  // namespace dinette::definitions
