#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "admin/call.h"

namespace dinette::admin {

/// What is run for a method of a path.
using Handler = Answer (*)(State& state, const Call& call);

struct Match {
  Handler handler;
  std::size_t route;            ///< its position in routes()
  std::string_view parameters;  ///< RouteName::parameters
  std::string argument;         ///< the part of the path that matched the braces, decoded
};

/// Returns what is run for a request. Fails with 404 for an unknown path, and with 405 if only the method is
/// unknown.
Result<Match> find_route(std::string_view method, std::string_view path);

/// Returns the methods that a path has, comma-separated; empty for an unknown path.
std::string methods_of(std::string_view path);

}  // namespace dinette::admin
