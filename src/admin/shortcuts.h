#pragma once

#include <string_view>

#include "dinette/http/message.h"

/// Paths at which people and tools look for what is at paths of the administration.
namespace dinette::admin {

/// Returns the path of the route that answers requests at `path`: itself, except for shortcuts such as
/// /health.
std::string_view route_path(std::string_view path);

/// Returns true if the request is at a shortcut, and has nothing that only a request of S3 has: a query, a
/// signature, headers of AWS. At "/" and /shell/ it must be a browser's, since other programs expect there
/// what DynamoDB answers.
bool is_at_shortcut(const http::Request& request);

}  // namespace dinette::admin
