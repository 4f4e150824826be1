#include "dynamodb/request/request_checks.h"

namespace dinette::dynamodb {

Answer<void> check_problem(Envelope envelope, const codec::ValueProblem* problem) {
  if (problem) return validation(envelope, *problem);
  return {};
}

Answer<void> check_problem(Envelope envelope, const std::optional<codec::ValueProblem>& problem) {
  return check_problem(envelope, problem ? &*problem : nullptr);
}

Answer<void> check_served(const codec::GivenMembers& planned) {
  if (planned.empty()) return {};
  return invalid(std::string(planned.front()) + " is not supported by Dinette yet");
}

Answer<void> check_all_used(Envelope envelope, const expr::Placeholders& placeholders) {
  if (auto unused = expr::check_unused(placeholders); !unused) return validation(envelope, unused.error());
  return {};
}

}  // namespace dinette::dynamodb
