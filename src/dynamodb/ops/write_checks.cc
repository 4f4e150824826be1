#include "dynamodb/ops/write_checks.h"

namespace dinette::dynamodb::ops {

Answer<void> check_returns_old_or_none(Envelope envelope, std::optional<api::ReturnValue> wanted) {
  const bool right = !wanted || *wanted == api::ReturnValue::none || *wanted == api::ReturnValue::all_old;
  if (!right) return validation(envelope, "ReturnValues can only be ALL_OLD or NONE");
  return {};
}

base::Failure<ApiError> collection_full() {
  return base::Failure{
      ApiError{api::ErrorCode::item_collection_size_limit_exceeded_exception, "Collection size exceeded."}};
}

}  // namespace dinette::dynamodb::ops
