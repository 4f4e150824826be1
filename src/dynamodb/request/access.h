#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/iam/evaluate.h"
#include "dinette/iam/identities.h"

#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

struct Context;

/// One action of a request on one resource, as policies look at it.
struct AccessRequest {
  std::string action = {};    ///< without the prefix of the service: "GetItem"
  std::string resource = {};  ///< an ARN, or "*"
  std::string owner = {};     ///< the account of the resource
  /// Keys of conditions that are known of it alone.
  iam::RequestContext keys = {};
  /// The policy of the table or stream; null for none.
  const iam::Policy* policy = nullptr;
};

/// What a caller may do. Without one nothing is refused.
class Access {
 public:
  /// Both must outlive the object.
  Access(const iam::Identities& identities, const iam::Identity& identity)
      : identities_(identities), identity_(identity) {}

  const iam::Identities& identities() const { return identities_; }
  const iam::Identity& identity() const { return identity_; }

  iam::Verdict judge(const Context& context, const AccessRequest& request) const;
  /// Answers what is not allowed with AccessDeniedException (docs/service/insights-policies-account.md
  /// section 5).
  Answer<void> check(const Context& context, const AccessRequest& request) const;

 private:
  const iam::Identities& identities_;
  const iam::Identity& identity_;
};

/// Returns the root user of an account, who is the caller where identities are not known.
iam::Identity root_user(std::string_view account);

}  // namespace dinette::dynamodb
