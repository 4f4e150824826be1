#pragma once

#include <optional>
#include <string_view>

#include "dinette/http/message.h"

/// Smithy RPC v2, whose requests name their operation in the path:
/// POST /service/DynamoDB_20120810/operation/GetItem (docs/service/wire.md section 10).
namespace dinette::aws {

/// A service as Smithy names it.
struct SmithyService {
  std::string_view name;        ///< in paths; the same as in X-Amz-Target
  std::string_view name_space;  ///< of its shapes: "com.amazonaws.dynamodb"
};

/// What a path asks for. Views into it.
struct SmithyPath {
  std::string_view prefix;  ///< what comes before the four segments; mostly empty
  std::string_view service;
  std::string_view operation;
};

/// Returns what the last four segments of a path ask for, if they are such a call.
std::optional<SmithyPath> read_smithy_path(std::string_view path);

inline constexpr std::string_view smithy_protocol_header = "Smithy-Protocol";

/// Returns true if a request is a call of Smithy RPC v2, even a malformed one, or a browser's question
/// whether a page may make one: for the routes of services that share a port. Buckets of S3 have such paths
/// too, but no POST to them without a query.
bool is_smithy_request(const http::Request& request);

/// The same for the calls of one service: "Kinesis_20131202".
bool is_smithy_request_of(const http::Request& request, const SmithyService& service);

/// Returns true if a path names the service so, with or without the name space in front.
bool is_name_of(const SmithyService& service, std::string_view name);

}  // namespace dinette::aws
