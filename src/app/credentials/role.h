#pragma once

#include <string>

#include "app/credentials/credentials.h"

namespace dinette::app {

/// A role to assume, as a profile or the environment describes it.
struct RoleRequest {
  std::string arn;
  std::string session_name = {};  ///< empty: one is made up
  std::string external_id = {};
  std::string duration_seconds = {};  ///< empty: the role's default
  std::string region;                 ///< of STS
  std::string named_by;               ///< "profile prod", for errors
};

/// Assumes a role by STS AssumeRole, signed by `signer`.
FoundCredentials assume_role(const CredentialSurroundings& surroundings, const RoleRequest& role,
                             const Credentials& signer);

/// Assumes a role by STS AssumeRoleWithWebIdentity, with the token in a file.
FoundCredentials assume_role_with_web_identity(const CredentialSurroundings& surroundings,
                                               const RoleRequest& role, const std::string& token_file);

}  // namespace dinette::app
