#include "iam/principals.h"

#include <algorithm>
#include <string_view>

#include "dinette/aws/arn.h"
#include "dinette/aws/auth_options.h"

namespace dinette::iam {
namespace {

PrincipalMatch match_one(std::string_view principal, const Identity& identity) {
  if (principal == identity.arn) return PrincipalMatch::caller;
  if (!identity.role_arn.empty() && principal == identity.role_arn) return PrincipalMatch::role;
  return account_of_principal(principal) == identity.account ? PrincipalMatch::account : PrincipalMatch::none;
}

PrincipalMatch closest_match(const Principals& principals, const Identity& identity) {
  PrincipalMatch closest = principals.everyone ? PrincipalMatch::caller : PrincipalMatch::none;
  for (const auto& principal : principals.aws) closest = std::max(closest, match_one(principal, identity));
  return closest;
}

}  // namespace

std::string_view account_of_principal(std::string_view principal) {
  if (aws::is_account_number(principal)) return principal;
  const auto arn = aws::parse_arn(principal);
  const bool is_root = arn && arn->service == "iam" && arn->resource == "root";
  return is_root ? arn->account : std::string_view();
}

// A NotPrincipal spares only those that it names themselves: an account in it spares its root user, which is
// why the guide tells to name a user or session together with its account.
PrincipalMatch match(const Principals& principals, const Identity& identity) {
  const PrincipalMatch closest = closest_match(principals, identity);
  if (!principals.negated) return closest;
  const bool spared =
      closest == PrincipalMatch::caller || (closest == PrincipalMatch::account && identity.root);
  return spared ? PrincipalMatch::none : PrincipalMatch::caller;
}

}  // namespace dinette::iam
