#include "dynamodb/wire/serve.h"

namespace dinette::dynamodb::wire {

base::Failure<ops::ApiError> serialization_failure(codec::SerializationError error) {
  return base::Failure{ops::ApiError{api::ErrorCode::serialization_exception, std::move(error.message)}};
}

}  // namespace dinette::dynamodb::wire
