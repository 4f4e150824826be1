#pragma once

#include <string>
#include <utility>

#include "dinette/aws/constraints.h"
#include "dinette/aws/json_writer.h"

#include "kinesis/api/codec.h"
#include "kinesis/api/limits.h"
#include "kinesis/wire/endpoint.h"

// docs/service/kinesis-data-streams.md section 1.
namespace dinette::kinesis::wire {

/// The body of a success: the output as an object, or no body at all.
enum class SuccessBody : bool { object, none };

/// The phases of every request: JSON types, constraints of the model, the operation with its own checks, the
/// response. Constraints are worded as DynamoDB's older generation words them.
template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const Call& call, std::string& reply) {
  codec::Decoder decoder;
  Input input;
  if (auto decoded = decoder.read(call.body.json, input); !decoded)
    return refusal(api::ErrorCode::serialization_exception, std::move(decoded).error().message);
  const aws::JsonObject members = call.body.json.get_object().value_unsafe();
  if (auto message = aws::check_constraints(call.operation, members, aws::Generation::older,
                                            model::limits::request_bytes))
    return refusal(api::ErrorCode::validation_exception, *std::move(message));
  DINETTE_TRY([[maybe_unused]] const auto output, operate(call.context, std::move(input)));
  if constexpr (body_of_success == SuccessBody::object) {
    aws::JsonWriter json(reply);
    encode(json, output);
  }
  return {};
}

}  // namespace dinette::kinesis::wire
