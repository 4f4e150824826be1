#pragma once

#include <span>
#include <string>

#include "dinette/spec/shape.h"

#include "dynamodb/codec/decoder.h"
#include "dynamodb/ops/context.h"

namespace dinette::dynamodb::wire {

/// Decodes and checks a request's body, runs the operation, and appends the answer's JSON to `reply`.
using Serve = ops::Answer<void> (*)(const spec::Operation& operation, ops::Context& context,
                                    const codec::RequestBody& body, std::string& reply);

struct Endpoint {
  const spec::Operation* operation;
  Serve serve;
};

/// Every served operation, ascending by target; scripts/gen_api.py writes it from the specs.
std::span<const Endpoint> endpoints();

/// Null for a target that is not served.
const Endpoint* find_endpoint(std::string_view target);

}  // namespace dinette::dynamodb::wire
