#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "dinette/aws/constraints.h"
#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"
#include "dinette/aws/operation_kind.h"
#include "dinette/aws/shape.h"
#include "dinette/base/result.h"

/// How services in JSON answer requests for their operations, if nothing special happens on the way. What is
/// generated for a service by scripts/gen_api.py uses it through the service's wire/serve.h.
namespace dinette::aws {

/// A request for one operation. `Context`: what operations work with.
template <class Context>
struct JsonCall {
  const Operation& operation;
  const Context& context;
  const RequestBody& body;
};

/// Decodes and checks a request's body, runs the operation, and appends the response's JSON to `reply`.
/// `Error`: why a request is refused.
template <class Context, class Error>
using ServeFunction = base::Result<void, Error>(const JsonCall<Context>& call, std::string& reply);

template <class Context, class Error>
struct JsonEndpoint {
  const Operation* operation;
  ServeFunction<Context, Error>* serve;
  OperationKind kind;
};

/// The body of a success: the output as an object, or no body at all.
enum class SuccessBody : bool { object, none };

/// The phases of every request: JSON types, constraints of the model, the operation with its own checks, the
/// response. Constraints are worded as DynamoDB's older generation words them. `Service` has a Decoder,
/// request_bytes, and the failures not_readable() and not_valid() with a message; `encode` is found by the
/// type of the output.
template <class Service, class Input, auto operate, SuccessBody body_of_success, class Context>
typename Service::Answer serve_json(const JsonCall<Context>& call, std::string& reply) {
  typename Service::Decoder decoder;
  Input input;
  if (auto decoded = decoder.read(call.body.json, input); !decoded)
    return Service::not_readable(std::move(decoded).error().message);
  const JsonObject members = call.body.json.get_object().value_unsafe();
  if (auto message = check_constraints(call.operation, members, Generation::older, Service::request_bytes))
    return Service::not_valid(*std::move(message));
  DINETTE_TRY([[maybe_unused]] const auto output, operate(call.context, std::move(input)));
  if constexpr (body_of_success == SuccessBody::object) {
    JsonWriter json(reply);
    encode(json, output);
  }
  return {};
}

}  // namespace dinette::aws
