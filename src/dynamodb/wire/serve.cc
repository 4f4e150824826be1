#include "dynamodb/wire/serve.h"

namespace dinette::dynamodb::wire {

base::Failure<ApiError> serialization_failure(aws::SerializationError error) {
  return base::Failure{ApiError{api::ErrorCode::serialization_exception, std::move(error.message)}};
}

bool is_outdated(const Context& context, const ApiError& error) {
  using enum api::ErrorCode;
  // Nothing was written. What the items decide, such as conditions, is refused only if the table is current.
  const bool refused = error.code == validation_exception || error.code == resource_not_found_exception ||
                       error.code == transaction_canceled_exception;
  if (!refused) return false;
  const auto changed = context.store.catalog().refresh();
  return changed && *changed;
}

}  // namespace dinette::dynamodb::wire
