#pragma once

#include <optional>

#include "app/credentials/credentials.h"

namespace dinette::app {

/// Finds the credentials of a profile. Returns nothing if it has none and says nothing of where they are.
std::optional<FoundCredentials> of_profile(const CredentialSurroundings& surroundings,
                                           const std::string& name);

}  // namespace dinette::app
