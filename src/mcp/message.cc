#include "mcp/message.h"

#include <utility>

namespace dinette::mcp {
namespace {

base::Failure<RpcError> invalid(const std::string& why) {
  return base::Failure{RpcError{invalid_request, "Invalid Request: " + why}};
}

bool can_be_id(const Json& id) {
  return id.is_string() || id.is_number_integer();
}

std::string envelope(const Json& id, std::string_view name, std::string_view content) {
  std::string text = R"({"jsonrpc":"2.0","id":)" + text_of(id) + ",\"";
  return text.append(name).append("\":").append(content) += '}';
}

}  // namespace

base::Result<Message, RpcError> read_message(Json value, Json& id) {
  id = nullptr;
  if (!value.is_object()) return invalid("a message is an object");
  const bool has_id = value.contains("id");
  if (has_id && can_be_id(value["id"])) id = value["id"];
  if (value.value("jsonrpc", Json()) != "2.0") return invalid("\"jsonrpc\" must be \"2.0\"");
  if (!value.contains("method") && (value.contains("result") || value.contains("error"))) return Message{};
  // The protocol allows no null, unlike JSON-RPC.
  if (has_id && id.is_null()) return invalid("\"id\" must be a string or a whole number");
  if (!value.contains("method") || !value["method"].is_string() || value["method"] == "")
    return invalid("\"method\" must be a string");
  Message message{id, value["method"].get<std::string>(), Json::object()};
  if (!value.contains("params")) return message;
  if (!value["params"].is_object()) return invalid("\"params\" must be an object");
  message.params = std::move(value["params"]);
  return message;
}

std::string answer(const Json& id, std::string_view result) {
  return envelope(id, "result", result);
}

std::string answer(const Json& id, const RpcError& error) {
  Json content{{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) content["data"] = error.data;
  return envelope(id, "error", text_of(content));
}

}  // namespace dinette::mcp
