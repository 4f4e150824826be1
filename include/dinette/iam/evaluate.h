#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/iam/policy.h"

namespace dinette::iam {

/// What is known of a request by the names that conditions and variables use: "aws:username",
/// "dynamodb:LeadingKeys". Names are compared without regard to case.
class RequestContext {
 public:
  using Values = std::vector<std::string>;

  /// Adds a key, or more values of a key. A key without values is present and empty.
  void add(std::string_view name, Values values);
  void add(std::string_view name, std::string value) { add(name, Values{std::move(value)}); }
  /// Adds the keys of another one.
  void add_all(const RequestContext& other) {
    for (const auto& [name, values] : other.keys_) add(name, values);
  }

  /// Returns null if the request has no such key. Valid until the next add().
  const Values* find(std::string_view name) const;

 private:
  std::vector<std::pair<std::string, Values>> keys_;
};

struct NamedPolicy {
  std::string name;
  Policy policy;
};

using PolicyList = std::vector<std::shared_ptr<const NamedPolicy>>;

/// Who sends a request, and the policies that come with that identity.
struct Identity {
  std::string arn = {};       ///< of a user, of the session of a role, or of the root user of the account
  std::string account = {};   ///< twelve digits
  std::string role_arn = {};  ///< of a session; else empty
  bool root = false;          ///< the root user: needs no policy
  PolicyList policies = {};   ///< of the user, its groups, or the role
  std::optional<PolicyList> boundary = {};          ///< the permissions boundary, if there is one
  std::optional<PolicyList> session_policies = {};  ///< of a session that was given some
  /// Keys that each request of it has, such as "aws:username".
  RequestContext context = {};
};

struct Request {
  std::string_view action;    ///< such as "dynamodb:GetItem"
  std::string_view resource;  ///< an ARN, or "*" if the action has no resource
  std::string_view owner;     ///< the account of the resource
  const RequestContext& context;
};

/// The kinds of policies that take part in a verdict.
enum class PolicyKind : std::uint8_t { identity, boundary, session, resource };

struct Verdict {
  enum class Outcome : std::uint8_t { allowed, not_allowed, denied };

  Outcome outcome = Outcome::not_allowed;
  /// The kind of policy that allows or denies; if none allows, the kind that does not.
  PolicyKind kind = PolicyKind::identity;
  /// The statement that decides: null if none does, or if the caller is the root user. Lives as long as the
  /// policies.
  const Statement* statement = nullptr;
  std::string policy = {};   ///< the name of its policy; empty for the policy of a resource
  std::size_t position = 0;  ///< of the statement in its policy, from 1

  bool allowed() const { return outcome == Outcome::allowed; }
};

/// Decides a request by the policies of its sender and that of the resource, which may be null: an explicit
/// deny wins; in the owner's account one allow is enough, else both sides must allow; boundaries and policies
/// of sessions limit what an identity's own policies allow (IAM User Guide, "How AWS enforcement code logic
/// evaluates requests to allow or deny access").
Verdict evaluate(const Identity& identity, const Request& request, const Policy* resource_policy);

/// Returns true if the policy of a resource lets `identity` do this without any policy of its own, which is
/// what makes it that identity's only access.
bool resource_policy_allows(const Identity& identity, const Request& request, const Policy& policy);

/// The message of a refusal (docs/service/insights-policies-account.md section 5; IAM User Guide,
/// "Troubleshoot access denied error messages").
std::string refusal(const Verdict& verdict, const Identity& identity, const Request& request);

}  // namespace dinette::iam
