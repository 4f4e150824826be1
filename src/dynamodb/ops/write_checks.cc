#include "dynamodb/ops/write_checks.h"

namespace dinette::dynamodb::ops {

Answer<void> check_returns_old_or_none(Envelope envelope, std::optional<api::ReturnValue> wanted) {
  const bool right = !wanted || *wanted == api::ReturnValue::none || *wanted == api::ReturnValue::all_old;
  if (!right) return validation(envelope, "ReturnValues can only be ALL_OLD or NONE");
  return {};
}

Answer<void> check_problem(Envelope envelope, const codec::ValueProblem* problem) {
  if (problem) return validation(envelope, *problem);
  return {};
}

Answer<void> check_problem(Envelope envelope, const std::optional<codec::ValueProblem>& problem) {
  return check_problem(envelope, problem ? &*problem : nullptr);
}

Answer<void> check_all_used(Envelope envelope, const expr::Placeholders& placeholders) {
  if (auto unused = expr::check_unused(placeholders); !unused) return validation(envelope, unused.error());
  return {};
}

}  // namespace dinette::dynamodb::ops
