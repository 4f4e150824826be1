#include "app/policy/run_policy.h"

#include <iostream>
#include <optional>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/iam/identities.h"

#include "app/policy/verdict_text.h"
#include "app/read_file.h"
#include "app/serve/identities_file.h"

namespace dinette::app {
namespace {

using base::Failure;

base::Result<std::optional<iam::Policy>, std::string> read_resource_policy(const std::string& path) {
  if (path.empty()) return std::optional<iam::Policy>();
  DINETTE_TRY(const std::string json, read_json_file(path, "file of a policy"));
  auto policy = iam::read_policy(json, iam::PolicyUse::resource);
  if (!policy.ok()) return Failure{"file of a policy " + path + ": " + policy.error()};
  return std::optional(std::move(policy).value());
}

/// The account of the resource, or that of the caller if it is not in an ARN.
std::string owner_of(const PolicyOptions& options, const iam::Identity& identity) {
  const auto arn = aws::parse_arn(options.resource);
  return arn && !arn->account.empty() ? std::string(arn->account) : identity.account;
}

}  // namespace

base::Result<bool, std::string> run_policy(const Options& options) {
  const PolicyOptions& asked = options.policy;
  DINETTE_TRY(const auto identities, read_identities(options.source));
  const iam::Identity* identity = identities->named(asked.caller);
  if (identity == nullptr) identity = identities->of_key(asked.caller);
  if (identity == nullptr)
    return Failure{options.source + " has no user, session or access key " + asked.caller};
  DINETTE_TRY(const auto resource_policy, read_resource_policy(asked.resource_policy_file));
  iam::RequestContext context = identity->context;
  for (const auto& [key, values] : asked.context) context.add(key, values);
  const std::string owner = owner_of(asked, *identity);
  const iam::Request request{asked.action, asked.resource, owner, context};
  const iam::Verdict verdict =
      iam::evaluate(*identity, request, resource_policy ? &*resource_policy : nullptr);
  std::cout << verdict_text(verdict, *identity, request);
  return verdict.allowed();
}

}  // namespace dinette::app
