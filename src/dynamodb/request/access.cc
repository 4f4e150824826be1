#include "dynamodb/request/access.h"

#include <chrono>
#include <utility>

#include "dinette/base/time_text.h"

#include "dynamodb/api/errors.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {
namespace {

/// The keys of a request that policies of all services may name.
iam::RequestContext global_keys(const Context& context, const iam::Identity& identity,
                                const AccessRequest& request) {
  iam::RequestContext keys = identity.context;
  const auto since_epoch = std::chrono::floor<std::chrono::seconds>(context.now.time_since_epoch());
  keys.add("aws:CurrentTime", base::format_time(context.now));
  keys.add("aws:EpochTime", std::to_string(since_epoch.count()));
  keys.add("aws:RequestedRegion", std::string(context.region));
  keys.add("aws:ResourceAccount", request.owner);
  return keys;
}

std::string action_name(std::string_view action) {
  return "dynamodb:" + std::string(action);
}

}  // namespace

iam::Verdict Access::judge(const Context& context, const AccessRequest& request) const {
  iam::RequestContext keys = global_keys(context, identity_, request);
  keys.add_all(request.keys);
  const std::string action = action_name(request.action);
  return iam::evaluate(identity_, {action, request.resource, request.owner, keys}, request.policy);
}

Answer<void> Access::check(const Context& context, const AccessRequest& request) const {
  const iam::Verdict verdict = judge(context, request);
  if (verdict.allowed()) return {};
  const std::string action = action_name(request.action);
  const iam::Request refused{action, request.resource, request.owner, request.keys};
  std::string message = iam::refusal(verdict, identity_, refused);
  // The service passes on what another region answers (docs/service/insights-policies-account.md section 5).
  if (request.action == "DeleteTableReplica") message = "'AccessDeniedException':'" + message + "'.";
  return base::Failure{ApiError{api::ErrorCode::access_denied_exception, std::move(message)}};
}

iam::Identity root_user(std::string_view account) {
  iam::Identity identity;
  identity.account = account;
  identity.arn = "arn:aws:iam::" + identity.account + ":root";
  identity.root = true;
  return identity;
}

}  // namespace dinette::dynamodb
