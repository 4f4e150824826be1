#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tablestore/request/context.h"

namespace dinette::tablestore::wire {

/// Reads a request, runs the operation, and appends its response to `reply`.
using ServeFunction = Answer<void>(const Context& context, std::string_view body, std::string& reply);

struct Endpoint {
  std::string_view path;  ///< without its first slash
  std::string_view operation;
  ServeFunction* serve;
};

/// Returns every served operation, by ascending paths. scripts/gen_tablestore.py writes it from the specs.
std::span<const Endpoint> endpoints();

}  // namespace dinette::tablestore::wire
