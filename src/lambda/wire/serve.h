#pragma once

#include <string>

#include "dinette/aws/json_operation.h"

#include "lambda/api/codec.h"
#include "lambda/api/limits.h"
#include "lambda/wire/endpoint.h"

// docs/service/triggers.md section 1.3.
namespace dinette::lambda::wire {

using aws::SuccessBody;

using Requests = aws::JsonRequests<ApiError, codec::Decoder, model::limits::request_bytes>;

template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const Call& call, std::string& reply) {
  return aws::serve_json<Requests, Input, operate, body_of_success>(call, reply);
}

}  // namespace dinette::lambda::wire
