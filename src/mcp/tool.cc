#include "mcp/tool.h"

#include <algorithm>
#include <vector>

namespace dinette::mcp {
namespace {

constexpr int success = 200;
constexpr int first_redirection = 300;

// Items nest up to 32 levels, each of which is two or three of JSON.
constexpr int most_reply_depth = 128;

base::Result<Json, std::string> read_reply(const Reply& reply) {
  auto body = read_json(reply.body, most_reply_depth);
  if (!body || !body->is_object()) {
    return base::Failure{"the server's response is not DynamoDB's: status " + std::to_string(reply.status)};
  }
  return body;
}

std::string member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Returns "ValidationException: ..." of an error's body; reasons follow if it has any.
std::string error_of(const Json& body, int status) {
  std::string type = member(body, "__type");
  type.erase(0, type.find('#') + 1);
  if (type.empty()) type = "status " + std::to_string(status);
  std::string message = member(body, "message");
  if (message.empty()) message = member(body, "Message");
  return message.empty() ? type : type + ": " + message;
}

}  // namespace

std::string ToolCall::text(const char* name) const {
  return member(arguments, name);
}

const Json& ToolCall::any(const char* name) const {
  static const Json null;
  const auto found = arguments.find(name);
  return found == arguments.end() ? null : *found;
}

std::span<const Tool> all_tools() {
  static const std::vector<Tool> tools = [] {
    std::vector<Tool> all;
    for (const auto& some : {table_tools(), reading_tools(), writing_tools(), clock_tools(), world_tools()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return tools;
}

base::Result<Json, std::string> operate(const ToolCall& call, std::string_view operation,
                                        const Json& request) {
  DINETTE_TRY(const Reply reply, call.backend.operate(call.text("world"), operation, text_of(request)));
  DINETTE_TRY(Json body, read_reply(reply));
  if (reply.status != success) return base::Failure{error_of(body, reply.status)};
  return body;
}

base::Result<Json, std::string> administrate(const ToolCall& call, std::string_view method,
                                             const std::string& target, const Json& body) {
  DINETTE_TRY(const Reply reply,
              call.backend.administrate(method, target, body.is_null() ? "" : text_of(body)));
  auto answer = read_json(reply.body, most_reply_depth);
  if (reply.status >= success && reply.status < first_redirection && answer) return answer;
  if (answer && answer->is_object() && answer->contains("error") && (*answer)["error"].is_object())
    return base::Failure{member((*answer)["error"], "message")};
  return base::Failure{"the server has no such administration (status " + std::to_string(reply.status) +
                       "); is it Dinette, and started without --no-admin?"};
}

}  // namespace dinette::mcp
