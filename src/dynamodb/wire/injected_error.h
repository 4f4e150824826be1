#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/throughput.h"

namespace dinette::dynamodb::wire {

/// The table of an operation on items, and how it is used.
struct ThrottledTable {
  std::string arn;
  Axis axis;
};

/// Returns the error that a fault rule injects: of that type, such as "ThrottlingException", with its status
/// and form. An empty message means the service's usual one. A throttling error names the table, if there is
/// one. Returns nothing if the service has no such error.
std::optional<ApiError> injected_error(std::string_view type, std::string_view message,
                                       const std::optional<ThrottledTable>& table = std::nullopt);

}  // namespace dinette::dynamodb::wire
