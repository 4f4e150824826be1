#pragma once

#include <string>

#include "dinette/aws/json_operation.h"

#include "keyspaces/api/codec.h"
#include "keyspaces/api/limits.h"
#include "keyspaces/wire/endpoint.h"

// docs/service-keyspaces/control-plane.md section 1.
namespace dinette::keyspaces::wire {

using aws::SuccessBody;

using Requests = aws::JsonRequests<ApiError, codec::Decoder, model::limits::request_bytes>;

template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const Call& call, std::string& reply) {
  return aws::serve_json<Requests, Input, operate, body_of_success>(call, reply);
}

}  // namespace dinette::keyspaces::wire
