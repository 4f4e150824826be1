#include "dinette/iam/evaluate.h"

#include <algorithm>

#include "dinette/base/ascii.h"

#include "iam/conditions.h"
#include "iam/pattern.h"
#include "iam/principals.h"

namespace dinette::iam {
namespace {

using Outcome = Verdict::Outcome;

bool matches_actions(const Patterns& actions, std::string_view action) {
  const bool listed = std::ranges::any_of(actions.values, [&](const std::string& pattern) {
    return matches_ignoring_case(*expand(pattern, nullptr), action);
  });
  return listed != actions.negated;
}

bool matches_resources(const Patterns& resources, const Request& request, bool has_variables) {
  const RequestContext* const variables = has_variables ? &request.context : nullptr;
  const bool listed = std::ranges::any_of(resources.values, [&](const std::string& pattern) {
    const auto symbols = expand(pattern, variables);
    return symbols && matches_arn(*symbols, request.resource);
  });
  return listed != resources.negated;
}

/// Returns true if all elements but the principals apply.
bool applies(const Statement& statement, const Request& request, bool has_variables) {
  return matches_actions(statement.actions, request.action) &&
         matches_resources(statement.resources, request, has_variables) &&
         std::ranges::all_of(statement.conditions, [&](const Condition& condition) {
           return holds(condition, request.context, has_variables);
         });
}

Verdict decided(Outcome outcome, PolicyKind kind, const NamedPolicy& policy, const Statement& statement) {
  const auto position = static_cast<std::size_t>(&statement - policy.policy.statements.data()) + 1;
  return {outcome, kind, &statement, policy.name, position};
}

Outcome outcome_of(Effect effect) {
  return effect == Effect::deny ? Outcome::denied : Outcome::allowed;
}

/// Returns the first statement with this effect in the policies, as a verdict, or nothing.
std::optional<Verdict> first_of(Effect effect, const PolicyList& policies, PolicyKind kind,
                                const Request& request) {
  for (const auto& policy : policies) {
    for (const Statement& statement : policy->policy.statements) {
      if (statement.effect == effect && applies(statement, request, policy->policy.has_variables()))
        return decided(outcome_of(effect), kind, *policy, statement);
    }
  }
  return std::nullopt;
}

/// The policy of a resource, applied to one request.
class ResourceSide {
 public:
  ResourceSide(const Policy* policy, const Identity& identity, const Request& request)
      : policy_(policy), identity_(identity), request_(request) {}

  std::optional<Verdict> denial() const { return first(Effect::deny, PrincipalMatch::account); }
  /// An allowance that includes the caller at least so closely.
  std::optional<Verdict> allowance(PrincipalMatch least) const { return first(Effect::allow, least); }

 private:
  std::optional<Verdict> first(Effect effect, PrincipalMatch least) const {
    if (policy_ == nullptr) return std::nullopt;
    std::size_t position = 0;
    for (const Statement& statement : policy_->statements) {
      ++position;
      if (statement.effect == effect && match(statement.principals, identity_) >= least &&
          applies(statement, request_, policy_->has_variables()))
        return Verdict{outcome_of(effect), PolicyKind::resource, &statement, {}, position};
    }
    return std::nullopt;
  }

  const Policy* policy_;
  const Identity& identity_;
  const Request& request_;
};

Verdict not_allowed(PolicyKind kind) {
  return {Outcome::not_allowed, kind, nullptr, {}, 0};
}

std::optional<Verdict> denial_of(const Identity& identity, const Request& request) {
  if (auto denied = first_of(Effect::deny, identity.policies, PolicyKind::identity, request)) return denied;
  if (identity.boundary) {
    auto denied = first_of(Effect::deny, *identity.boundary, PolicyKind::boundary, request);
    if (denied) return denied;
  }
  if (!identity.session_policies) return std::nullopt;
  return first_of(Effect::deny, *identity.session_policies, PolicyKind::session, request);
}

/// Returns the refusal by a boundary or a session's policies, which limit what else allows; or nothing.
std::optional<Verdict> limit_of(const Identity& identity, const Request& request) {
  if (identity.boundary && !first_of(Effect::allow, *identity.boundary, PolicyKind::boundary, request))
    return not_allowed(PolicyKind::boundary);
  if (identity.session_policies &&
      !first_of(Effect::allow, *identity.session_policies, PolicyKind::session, request))
    return not_allowed(PolicyKind::session);
  return std::nullopt;
}

Verdict identity_verdict(const Identity& identity, const Request& request) {
  if (identity.root) return {Outcome::allowed, PolicyKind::identity, nullptr, {}, 0};
  auto allowed = first_of(Effect::allow, identity.policies, PolicyKind::identity, request);
  if (!allowed) return not_allowed(PolicyKind::identity);
  if (auto limited = limit_of(identity, request)) return *limited;
  return *allowed;
}

/// In the owner's account one allow is enough. A policy that names the caller itself is not limited by
/// boundaries and policies of the session; one that names its role is.
Verdict within_account(const Identity& identity, const Request& request, const ResourceSide& resource) {
  if (auto allowed = resource.allowance(PrincipalMatch::caller)) return *allowed;
  if (auto allowed = resource.allowance(PrincipalMatch::role)) {
    auto limited = limit_of(identity, request);
    return limited ? *limited : *allowed;
  }
  return identity_verdict(identity, request);
}

Verdict across_accounts(const Identity& identity, const Request& request, const ResourceSide& resource) {
  Verdict own = identity_verdict(identity, request);
  if (!own.allowed()) return own;
  auto allowed = resource.allowance(PrincipalMatch::account);
  return allowed ? *allowed : not_allowed(PolicyKind::resource);
}

std::string_view name_of(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::identity:
      return "identity-based policy";
    case PolicyKind::boundary:
      return "permissions boundary";
    case PolicyKind::session:
      return "session policy";
    case PolicyKind::resource:
      return "resource-based policy";
  }
  return {};
}

}  // namespace

void RequestContext::add(std::string_view name, Values values) {
  for (auto& [known, have] : keys_) {
    if (!base::equal_ignoring_case(known, name)) continue;
    have.insert(have.end(), values.begin(), values.end());
    return;
  }
  keys_.emplace_back(name, std::move(values));
}

const RequestContext::Values* RequestContext::find(std::string_view name) const {
  for (const auto& [known, values] : keys_) {
    if (base::equal_ignoring_case(known, name)) return &values;
  }
  return nullptr;
}

Verdict evaluate(const Identity& identity, const Request& request, const Policy* resource_policy) {
  const ResourceSide resource(resource_policy, identity, request);
  if (auto denied = denial_of(identity, request)) return *denied;
  if (auto denied = resource.denial()) return *denied;
  return identity.account == request.owner ? within_account(identity, request, resource)
                                           : across_accounts(identity, request, resource);
}

bool resource_policy_allows(const Identity& identity, const Request& request, const Policy& policy) {
  const ResourceSide resource(&policy, identity, request);
  return !resource.denial() && resource.allowance(PrincipalMatch::role).has_value();
}

std::string refusal(const Verdict& verdict, const Identity& identity, const Request& request) {
  const std::string action(request.action);
  const std::string policy(name_of(verdict.kind));
  const std::string start = "User: " + identity.arn + " is not authorized to perform: " + action +
                            " on resource: " + std::string(request.resource);
  if (verdict.outcome != Outcome::denied)
    return start + " because no " + policy + " allows the " + action + " action";
  const bool begins_with_vowel = verdict.kind == PolicyKind::identity;
  return start + " with an explicit deny in " + (begins_with_vowel ? "an " : "a ") + policy;
}

}  // namespace dinette::iam
