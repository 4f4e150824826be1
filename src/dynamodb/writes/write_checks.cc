#include "dynamodb/writes/write_checks.h"

namespace dinette::dynamodb {

Answer<void> check_returns_old_or_none(Envelope envelope, api::ReturnValue wanted) {
  const bool right = wanted == api::ReturnValue::none || wanted == api::ReturnValue::all_old;
  if (!right) return validation(envelope, "ReturnValues can only be ALL_OLD or NONE");
  return {};
}

}  // namespace dinette::dynamodb
