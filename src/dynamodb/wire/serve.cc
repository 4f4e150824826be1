#include "dynamodb/wire/serve.h"

namespace dinette::dynamodb::wire {

base::Failure<ApiError> serialization_failure(aws::SerializationError error) {
  return base::Failure{ApiError{api::ErrorCode::serialization_exception, std::move(error.message)}};
}

}  // namespace dinette::dynamodb::wire
