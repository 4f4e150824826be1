#include "mcp/tool.h"

#include <map>
#include <utility>

#include "mcp/tools_json.h"

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

/// The functions below throw if the file of the tools, which is compiled into the program, does not fit the
/// code.
Effect effect_of(const std::string& name) {
  static const std::map<std::string, Effect> effects{{"reads", Effect::reads},
                                                     {"adds", Effect::adds},
                                                     {"destroys", Effect::destroys},
                                                     {"as_is_allowed", Effect::as_is_allowed}};
  return effects.at(name);
}

RunTool function_of(const std::string& name) {
  static const std::map<std::string_view, RunTool> functions = [] {
    std::map<std::string_view, RunTool> all;
    for (const auto& some : {table_tools(), reading_tools(), writing_tools(), clock_tools(), world_tools()})
      for (const ToolFunction& one : some) all.emplace(one.name, one.run);
    return all;
  }();
  return functions.at(name);
}

/// `world`: the schema of the argument of that name, which many tools have.
Tool read_tool(const OrderedJson& json, const OrderedJson& world) {
  Tool tool{.name = json.at("name"),
            .title = json.at("title"),
            .description = json.at("description"),
            .effect = effect_of(json.at("effect")),
            .properties = json.at("properties"),
            .required = json.at("required"),
            .run = function_of(json.at("name"))};
  if (json.at("in_world")) tool.properties["world"] = world;
  return tool;
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

const std::vector<Tool>& all_tools() {
  static const std::vector<Tool> tools = [] {
    const OrderedJson described = OrderedJson::parse(tools_json);
    std::vector<Tool> all;
    for (const OrderedJson& tool : described.at("tools"))
      all.push_back(read_tool(tool, described.at("world")));
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
