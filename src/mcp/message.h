#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mcp/json.h"

namespace dinette::mcp {

/// An error of JSON-RPC 2.0 (section 5.1).
struct RpcError {
  int code = 0;
  std::string message;
  Json data = nullptr;  ///< further information; null: none
};

inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int unsupported_revision = -32022;  ///< of the Model Context Protocol

/// What a client sends: a request, a notification, or an answer to a request of ours (there are none).
struct Message {
  Json id;             ///< a string or a whole number; null: a notification
  std::string method;  ///< empty: an answer
  Json params = Json::object();
};

/// Reads one element of a message. Fails with invalid_request. `id` becomes that of the request, if it can be
/// read, or else null.
base::Result<Message, RpcError> read_message(Json value, Json& id);

/// Returns the answer to the request of an id; `result` is JSON.
std::string answer(const Json& id, std::string_view result);
std::string answer(const Json& id, const RpcError& error);

}  // namespace dinette::mcp
