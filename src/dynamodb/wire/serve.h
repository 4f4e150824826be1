#pragma once

#include <string>

#include "dinette/aws/constraints.h"
#include "dinette/aws/json_writer.h"

#include "dynamodb/api/codec.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/wire/endpoint.h"

namespace dinette::dynamodb::wire {

/// Returns the error for a body whose JSON has other types than the API declares.
base::Failure<ApiError> serialization_failure(aws::SerializationError error);

/// The body of a success: the output as an object, or no body at all (docs/service/wire.md section 2).
enum class SuccessBody : bool { object, none };

/// Levels that expression values of a request may have.
template <class Input>
inline constexpr int expression_value_levels = model::limits::nesting_levels;
/// What a transaction writes is checked when it does (docs/service/values.md section 5).
template <>
inline constexpr int expression_value_levels<api::TransactWriteItemsInput> =
    model::limits::transaction_value_levels;

/// The phases of every request: JSON types, constraints of the model, the operation with its own checks, the
/// response (docs/service/wire.md section 4, steps 6 to 8).
template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const aws::Operation& operation, Context& context, const aws::RequestBody& body,
                   std::string& reply) {
  using model::Generation;
  codec::Decoder decoder(operation.older_generation ? Generation::older : Generation::current,
                         codec::Decoder::Source::request, body.has_escapes, expression_value_levels<Input>);
  Input input;
  if (auto decoded = decoder.read(body.json, input); !decoded)
    return serialization_failure(std::move(decoded).error());
  const bool older =
      operation.older_generation || decoder.deepest_value() > model::limits::older_reading_levels;
  context.reading = older ? Generation::older : Generation::current;
  context.envelope = operation.own_in_envelope && !older ? Envelope::around : Envelope::none;
  const aws::JsonObject members = body.json.get_object().value_unsafe();
  if (auto message =
          aws::check_constraints(operation, members, context.reading, model::limits::request_bytes)) {
    return validation(*std::move(message));
  }
  if (context.gate) DINETTE_CHECK(context.gate->admit(context, operation.name));
  DINETTE_TRY([[maybe_unused]] const auto output, operate(context, std::move(input)));
  if constexpr (body_of_success == SuccessBody::object) {
    aws::JsonWriter json(reply);
    encode(json, output);
  }
  return {};
}

}  // namespace dinette::dynamodb::wire
