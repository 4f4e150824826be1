#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "dinette/aws/constraints.h"
#include "dinette/aws/json_writer.h"

#include "dynamodb/api/codec.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/strict_body.h"
#include "dynamodb/wire/type_lenience.h"

namespace dinette::dynamodb::wire {

/// Returns the error for a body whose JSON has other types than the API declares.
base::Failure<ApiError> serialization_failure(aws::SerializationError error);

/// Returns true if the error may be due to a table that other servers have changed since this one last knew
/// it.
bool is_outdated(const Context& context, const ApiError& error);

/// The body of a success: the output as an object, or no body at all (docs/service/wire.md section 2).
enum class SuccessBody : bool { object, none };

template <class Input, class... Others>
inline constexpr bool is_one_of = (std::is_same_v<Input, Others> || ...);

/// How the values of a request are read.
template <class Input>
constexpr codec::Decoder::Rules value_rules(model::Generation generation) {
  constexpr bool writes_one = is_one_of<Input, api::PutItemInput, api::UpdateItemInput, api::DeleteItemInput>;
  constexpr bool writes_many = is_one_of<Input, api::TransactWriteItemsInput>;
  codec::Decoder::Rules rules;
  // What the older generation writes is checked when it does (docs/service/values.md section 5; README.md,
  // regional split 3).
  if ((writes_one || writes_many) && generation == model::Generation::older)
    rules.expression_value_levels = model::limits::transaction_value_levels;
  // docs/service/transactions.md section 4, step 3.
  if (is_one_of<Input, api::TransactWriteItemsInput, api::TransactGetItemsInput>)
    rules.order = codec::ProblemOrder::of_kinds;
  return rules;
}

/// `admitted`: the gate has admitted the request, which it is asked once.
template <class Input, auto operate, SuccessBody body_of_success>
Answer<void> serve_once(const Call& call, std::string& reply, bool& admitted) {
  using model::Generation;
  const auto& [operation, context, body, types] = call;
  codec::Decoder decoder(context.reading, codec::Decoder::Source::request, body.has_escapes,
                         value_rules<Input>(context.reading));
  if (types.accepts_quoted()) decoder.accept_quoted();
  constexpr bool is_search = is_one_of<Input, api::SearchVectorsInput>;
  if constexpr (is_search) {
    if (!types.accepts_quoted()) DINETTE_CHECK(check_search_types(body.json));
  }
  Input input;
  if (auto decoded = decoder.read(body.json, input); !decoded) {
    types.note_refused(operation, body.json, decoded.error().message);
    return serialization_failure(std::move(decoded).error());
  }
  if (decoder.read_quoted()) [[unlikely]]
    types.note_accepted(operation, body.json);
  if constexpr (is_search) DINETTE_CHECK(check_search_members(body.json));
  if (decoder.deepest_value() > model::limits::older_reading_levels) context.reading = Generation::older;
  const bool enveloped = operation.own_in_envelope && context.reading == Generation::current;
  context.envelope = enveloped ? Envelope::around : Envelope::none;
  const aws::JsonObject members = body.json.get_object().value_unsafe();
  if (auto message =
          aws::check_constraints(operation, members, context.reading, model::limits::request_bytes)) {
    return validation(*std::move(message));
  }
  if (context.gate && !std::exchange(admitted, true))
    DINETTE_CHECK(context.gate->admit(context, operation.name));
  DINETTE_TRY([[maybe_unused]] const auto output, operate(context, std::move(input)));
  if constexpr (body_of_success == SuccessBody::object) {
    aws::JsonWriter json(reply);
    encode(json, output);
  }
  return {};
}

/// `Context::reading` is the layer of the operation for this request. The phases of every request: JSON
/// types, constraints of the model, the operation with its own checks, the response (docs/service/wire.md
/// section 4, steps 6 to 8). What is refused runs again if other servers have changed tables meanwhile,
/// because a write takes them as they were last known.
template <class Input, auto operate, SuccessBody body_of_success = SuccessBody::object>
Answer<void> serve(const Call& call, std::string& reply) {
  const model::Generation reading = call.context.reading;
  bool admitted = false;
  for (;;) {
    auto served = serve_once<Input, operate, body_of_success>(call, reply, admitted);
    if (served || !is_outdated(call.context, served.error())) return served;
    call.context.reading = reading;
  }
}

}  // namespace dinette::dynamodb::wire
