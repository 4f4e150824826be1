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

/// How a service reads requests. `Error` has the code of an error of the specs, and its message; `Reader` is
/// the decoder that scripts/gen_api.py writes.
template <class Error, class Reader, std::size_t largest>
struct JsonRequests {
  using Answer = base::Result<void, Error>;
  using Decoder = Reader;
  using Code = decltype(Error::code);
  static constexpr std::size_t request_bytes = largest;

  static base::Failure<Error> refuse(Code code, std::string message) {
    Error error{};
    error.code = code;
    error.message = std::move(message);
    return error;
  }
};

/// The phases of every request: JSON types, constraints of the model, the operation with its own checks, the
/// response. Constraints are worded as DynamoDB's older generation words them. `Requests`: JsonRequests of
/// the service. `encode` is found by the type of the output.
template <class Requests, class Input, auto operate, SuccessBody body_of_success, class Context>
typename Requests::Answer serve_json(const JsonCall<Context>& call, std::string& reply) {
  using Code = typename Requests::Code;
  typename Requests::Decoder decoder;
  Input input;
  if (auto decoded = decoder.read(call.body.json, input); !decoded)
    return Requests::refuse(Code::serialization_exception, std::move(decoded).error().message);
  const JsonObject members = call.body.json.get_object().value_unsafe();
  if (auto message = check_constraints(call.operation, members, Generation::older, Requests::request_bytes))
    return Requests::refuse(Code::validation_exception, *std::move(message));
  DINETTE_TRY([[maybe_unused]] const auto output, operate(call.context, std::move(input)));
  if constexpr (body_of_success == SuccessBody::object) {
    JsonWriter json(reply);
    encode(json, output);
  }
  return {};
}

}  // namespace dinette::aws
