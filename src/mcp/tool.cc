#include "mcp/tool.h"

#include <map>
#include <utility>

#include "mcp/existing_tables.h"
#include "mcp/tools_json.h"

namespace dinette::mcp {
namespace {

constexpr int success = 200;
constexpr int first_redirection = 300;

// Items nest up to 32 levels, each of which is two or three of JSON.
constexpr int most_reply_depth = 128;

constexpr std::string_view table_missing = "ResourceNotFoundException";

base::Result<Json, std::string> read_reply(const Reply& reply) {
  auto body = read_json(reply.body, most_reply_depth);
  if (!body || !body->is_object()) {
    return base::Failure{"the server's response is not DynamoDB's: status " + std::to_string(reply.status)};
  }
  return body;
}

std::string member(const Json& object, const char* name) {
  const Json& found = member_of(object, name);
  return found.is_string() ? found.get<std::string>() : "";
}

/// Returns "ValidationException: ..." of an error's body; reasons follow if it has any.
std::string error_of(const Json& body, int status) {
  std::string type = member(body, "__type");
  type.erase(0, type.find('#') + 1);
  if (type.empty()) type = "status " + std::to_string(status);
  const std::string message = message_of(body);
  return message.empty() ? type : type + ": " + message;
}

/// Returns an error with the tables that there are, if one is missing.
std::string with_tables(std::string error, const ToolCall& call, const Json& request) {
  if (!error.starts_with(table_missing)) return error;
  const std::string tables = existing_tables(call, request);
  return tables.empty() ? error : error + "." + tables;
}

base::Result<ExplainedReply, std::string> call_operation(const ToolCall& call, std::string_view operation,
                                                         const Json& request, bool explain) {
  DINETTE_TRY(const Reply reply,
              call.backend.operate(call.text("world"), operation, text_of(request), explain));
  DINETTE_TRY(Json body, read_reply(reply));
  if (reply.status != success) return base::Failure{with_tables(error_of(body, reply.status), call, request)};
  auto explanation = read_json(reply.explanation, most_reply_depth, Digits::of_doubles);
  return ExplainedReply{std::move(body), explanation ? *std::move(explanation) : Json()};
}

/// Returns the failure of a route of the administration.
base::Failure<std::string> refusal_of(const Reply& reply) {
  const auto answer = read_json(reply.body, most_reply_depth);
  if (answer && member_of(*answer, "error").is_object())
    return base::Failure{member((*answer)["error"], "message")};
  return base::Failure{"the server has no such administration (status " + std::to_string(reply.status) +
                       "); is it Dinette, and started without --no-admin?"};
}

bool succeeded(const Reply& reply) {
  return reply.status >= success && reply.status < first_redirection;
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
    for (const auto& some : all_functions())
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
            .idempotent = json.value("idempotent", false),
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
  return member_of(arguments, name);
}

bool ToolCall::flag(const char* name) const {
  return any(name) == true;
}

std::size_t ToolCall::number(const char* name, std::size_t otherwise) const {
  return count_of(arguments, name).value_or(otherwise);
}

Json ToolCall::given() const {
  Json all = Json::object();
  for (const auto& [name, value] : arguments.items()) {
    if (!value.is_null()) all[name] = value;
  }
  return all;
}

std::vector<std::span<const ToolFunction>> all_functions() {
  return {table_tools(),   reading_tools(), writing_tools(), import_tools(), clock_tools(),
          request_tools(), report_tools(),  metrics_tools(), fault_tools(),  world_tools()};
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
  DINETTE_TRY(ExplainedReply reply, call_operation(call, operation, request, false));
  return std::move(reply.body);
}

base::Result<ExplainedReply, std::string> operate_explained(const ToolCall& call, std::string_view operation,
                                                            const Json& request) {
  return call_operation(call, operation, request, true);
}

base::Result<Json, std::string> administrate(const ToolCall& call, std::string_view method,
                                             const std::string& target, const Json& body) {
  DINETTE_TRY(const Reply reply,
              call.backend.administrate(method, target, body.is_null() ? "" : text_of(body)));
  auto answer = read_json(reply.body, most_reply_depth, Digits::of_doubles);
  if (succeeded(reply) && answer) return answer;
  return refusal_of(reply);
}

base::Result<std::string, std::string> read_administration(const ToolCall& call, const std::string& target) {
  DINETTE_TRY(Reply reply, call.backend.administrate("GET", target, ""));
  if (succeeded(reply)) return std::move(reply.body);
  return refusal_of(reply);
}

std::string in_world(const ToolCall& call, const std::string& path) {
  const std::string world = call.text("world");
  return world.empty() ? path : path + (path.find('?') == std::string::npos ? '?' : '&') + "world=" + world;
}

std::string message_of(const Json& error) {
  const std::string message = member(error, "message");
  return message.empty() ? member(error, "Message") : message;
}

const Json& member_of(const Json& object, const char* name) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto found = object.find(name);
  return found == object.end() ? null : *found;
}

std::optional<double> number_of(const Json& object, const char* name) {
  const Json& number = member_of(object, name);
  return number.is_number() ? std::optional(number.get<double>()) : std::nullopt;
}

std::optional<std::uint64_t> count_of(const Json& object, const char* name) {
  const Json& number = member_of(object, name);
  return number.is_number_unsigned() ? std::optional(number.get<std::uint64_t>()) : std::nullopt;
}

}  // namespace dinette::mcp
