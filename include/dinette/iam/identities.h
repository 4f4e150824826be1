#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/iam/evaluate.h"

namespace dinette::iam {

/// The users and sessions of roles of an account. Immutable once it is read, so safe to share.
class Identities {
 public:
  /// Reads what `aws iam get-account-authorization-details` prints, with two more members: the access keys of
  /// users, `AccessKeyMetadata`, as `aws iam list-access-keys` prints them, and sessions, `AssumedRoles`,
  /// each as `aws sts assume-role` prints one, and optionally with its `Policy`. Documents of policies may be
  /// JSON, JSON as text, or text in percent encoding, which is what the API sends.
  ///
  /// The error is a sentence that names the identity. Members that are not needed are ignored.
  static base::Result<Identities, std::string> read(std::string_view json);

  /// Returns null if no user and no session has this access key.
  const Identity* of_key(std::string_view access_key) const;
  /// Returns the user or the session of that ARN, the user of that name, or null.
  const Identity* named(std::string_view name_or_arn) const;
  /// Returns true if a user, a role or a session has this ARN, or an account this number or root user.
  bool knows_principal(std::string_view principal) const;

 private:
  friend class IdentityReader;

  std::vector<std::shared_ptr<const Identity>> identities_;
  std::unordered_map<std::string, const Identity*> by_key_;
  std::unordered_map<std::string, const Identity*> by_name_;     // of users, and all ARNs
  std::unordered_map<std::string, std::string> account_of_arn_;  // of users, roles and sessions
};

}  // namespace dinette::iam
