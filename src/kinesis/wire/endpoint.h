#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/aws/json.h"
#include "dinette/aws/operation_kind.h"
#include "dinette/aws/shape.h"

#include "kinesis/request/context.h"

namespace dinette::kinesis::wire {

/// A request for one operation.
struct Call {
  const aws::Operation& operation;
  const Context& context;
  const aws::RequestBody& body;
};

/// Decodes and checks a request's body, runs the operation, and appends the response's JSON to `reply`.
using ServeFunction = Answer<void>(const Call& call, std::string& reply);

struct Endpoint {
  const aws::Operation* operation;
  ServeFunction* serve;
  aws::OperationKind kind;
};

/// Returns every served operation, and its `X-Amz-Target` at the same position, ascending. scripts/gen_api.py
/// writes them and the next from the specs.
std::span<const Endpoint> endpoints();
std::span<const std::string_view> served_targets();

/// The targets of operations that are not served yet, ascending.
std::span<const std::string_view> planned_targets();

}  // namespace dinette::kinesis::wire
