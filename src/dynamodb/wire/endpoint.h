#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dinette/spec/shape.h"

#include "dynamodb/codec/decoder.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb::wire {

/// Decodes and checks a request's body, runs the operation, and appends the answer's JSON to `reply`.
using Serve = Answer<void> (*)(const spec::Operation& operation, Context& context,
                               const codec::RequestBody& body, std::string& reply);

struct Endpoint {
  const spec::Operation* operation;
  Serve serve;
};

/// Every served operation, and the targets of those that are not served yet, ascending by target;
/// scripts/gen_api.py writes both from the specs.
std::span<const Endpoint> endpoints();
std::span<const std::string_view> planned_targets();

/// Null for a target that is not served.
const Endpoint* find_endpoint(std::string_view target);
/// Returns the position of a target in planned_targets(), if it is one of them.
std::optional<std::size_t> find_planned(std::string_view target);

}  // namespace dinette::dynamodb::wire
