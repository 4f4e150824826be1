#include "dynamodb/request/request_checks.h"

namespace dinette::dynamodb {

Answer<void> check_problem(Envelope envelope, const codec::ValueProblem* problem) {
  if (problem) return validation(envelope, *problem);
  return {};
}

Answer<void> check_problem(Envelope envelope, const std::optional<codec::ValueProblem>& problem) {
  return check_problem(envelope, problem_of(problem));
}

}  // namespace dinette::dynamodb
