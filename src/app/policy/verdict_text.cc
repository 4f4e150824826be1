#include "app/policy/verdict_text.h"

namespace dinette::app {
namespace {

std::string policy_text(const iam::Verdict& verdict) {
  switch (verdict.kind) {
    case iam::PolicyKind::identity:
      return "the policy " + verdict.policy + " of the identity";
    case iam::PolicyKind::boundary:
      return "the permissions boundary " + verdict.policy;
    case iam::PolicyKind::session:
      return "the policy of the session";
    case iam::PolicyKind::resource:
      return "the policy of the resource";
  }
  return {};
}

std::string statement_text(const iam::Verdict& verdict) {
  const std::string& sid = verdict.statement->sid;
  return "statement " + std::to_string(verdict.position) + (sid.empty() ? "" : " (" + sid + ")") + " of " +
         policy_text(verdict);
}

}  // namespace

std::string verdict_text(const iam::Verdict& verdict, const iam::Identity& identity,
                         const iam::Request& request) {
  const std::string subject = std::string(request.action) + " on " + std::string(request.resource);
  if (verdict.allowed()) {
    return "allowed: " + subject + "\n  " +
           (verdict.statement ? "by " + statement_text(verdict) : "the root user needs no policy") + "\n";
  }
  std::string text = "refused: " + subject + "\n";
  if (verdict.statement) text += "  by " + statement_text(verdict) + "\n";
  return text + "  " + iam::refusal(verdict, identity, request) + "\n";
}

}  // namespace dinette::app
