#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "dinette/aws/json_operation.h"

#include "kinesis/api/codec.h"
#include "kinesis/api/limits.h"
#include "kinesis/wire/endpoint.h"

// docs/service/kinesis-data-streams.md section 1.
namespace dinette::kinesis::wire {

using aws::SuccessBody;

/// For aws::serve_json.
struct Requests {
  using Answer = kinesis::Answer<void>;
  using Decoder = codec::Decoder;
  static constexpr std::size_t request_bytes = model::limits::request_bytes;

  static base::Failure<ApiError> not_readable(std::string message) {
    return refusal(api::ErrorCode::serialization_exception, std::move(message));
  }
  static base::Failure<ApiError> not_valid(std::string message) {
    return refusal(api::ErrorCode::validation_exception, std::move(message));
  }
};

template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const Call& call, std::string& reply) {
  return aws::serve_json<Requests, Input, operate, body_of_success>(call, reply);
}

}  // namespace dinette::kinesis::wire
