#pragma once

#include "dinette/iam/evaluate.h"
#include "dinette/iam/policy.h"

namespace dinette::iam {

/// How the Principal of a statement includes a caller.
enum class PrincipalMatch : std::uint8_t {
  none,
  account,  ///< as one of an account: the account's own policies decide which of its callers may
  role,     ///< as a session of a role: limited as the role is
  caller,   ///< by its own ARN, or as everyone
};

PrincipalMatch match(const Principals& principals, const Identity& identity);

/// Returns the account that an account id or the ARN of a root user names, or an empty text.
std::string_view account_of_principal(std::string_view principal);

}  // namespace dinette::iam
