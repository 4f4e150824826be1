#pragma once

#include <string>

#include "dinette/aws/json_operation.h"

#include "kinesis/api/codec.h"
#include "kinesis/api/limits.h"
#include "kinesis/wire/endpoint.h"

// docs/service/kinesis-data-streams.md section 1.
namespace dinette::kinesis::wire {

using aws::SuccessBody;

using Requests = aws::JsonRequests<ApiError, codec::Decoder, model::limits::request_bytes>;

template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const Call& call, std::string& reply) {
  return aws::serve_json<Requests, Input, operate, body_of_success>(call, reply);
}

}  // namespace dinette::kinesis::wire
