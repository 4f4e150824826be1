#pragma once

#include <optional>

#include "app/credentials/credentials.h"

namespace dinette::app {

/// Finds the credentials of the container that this process is in. Returns nothing if no variable names its
/// endpoint.
std::optional<FoundCredentials> of_container(const CredentialSurroundings& surroundings);

/// Finds the credentials of the role of the instance that this process is on, by version 2 of its metadata
/// service.
FoundCredentials of_instance(const CredentialSurroundings& surroundings);

}  // namespace dinette::app
