#pragma once

#include <string>

#include "dynamodb/api/codec.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/codec/constraints.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/wire/endpoint.h"

namespace dinette::dynamodb::wire {

/// A body that is not what the API declares.
base::Failure<ApiError> serialization_failure(codec::SerializationError error);

/// What a success sends where the operation has nothing to say: `{}`, or no body at all (docs/service/wire.md
/// section 2).
enum class SuccessBody : bool { object, none };

/// The path of every request through its phases: JSON types, constraints of the model, the operation with its
/// own checks, the answer (docs/service/wire.md section 4, steps 6 to 8).
template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const spec::Operation& operation, Context& context, const codec::RequestBody& body,
                   std::string& reply) {
  using model::Generation;
  codec::Decoder decoder(operation.older_layer ? Generation::older : Generation::current,
                         codec::Decoder::Source::request, body.has_escapes);
  Input input;
  if (auto decoded = decoder.read(body.json, input); !decoded)
    return serialization_failure(std::move(decoded).error());
  const bool older = operation.older_layer || decoder.deepest_value() > model::limits::older_reading_levels;
  context.reading = older ? Generation::older : Generation::current;
  if (auto message =
          codec::check_constraints(operation, body.json.get_object().value_unsafe(), context.reading)) {
    return validation(*std::move(message));
  }
  if (context.gate) DINETTE_CHECK(context.gate->admit(context, operation.name));
  DINETTE_TRY([[maybe_unused]] const auto output, operate(context, std::move(input)));
  if constexpr (body_of_success == SuccessBody::object) {
    codec::JsonWriter json(reply);
    encode(json, output);
  }
  return {};
}

}  // namespace dinette::dynamodb::wire
