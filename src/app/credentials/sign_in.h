#pragma once

#include "app/credentials/credentials.h"
#include "app/credentials/profile.h"

namespace dinette::app {

/// Finds the credentials of a profile that signs in by IAM Identity Center, with the token that `aws sso
/// login` has left in its cache. Does not sign in, and does not renew the token.
FoundCredentials of_sign_in(const CredentialSurroundings& surroundings, const Profile& profile);

}  // namespace dinette::app
