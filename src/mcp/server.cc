#include "dinette/mcp/server.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "dinette/base/ascii.h"

#include "mcp/arguments.h"
#include "mcp/message.h"
#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

// Oldest first. What each added: 2025-03-26 batches of messages and annotations of tools, 2025-06-18 titles;
// it dropped batches.
constexpr std::string_view with_batches = "2025-03-26";
constexpr std::string_view with_annotations = "2025-03-26";
constexpr std::string_view with_titles = "2025-06-18";
constexpr std::array<std::string_view, 3> revisions{"2024-11-05", "2025-03-26", "2025-06-18"};

constexpr std::size_t most_messages_of_batch = 100;

constexpr const char* instructions_text =
    "Tools for a local DynamoDB, Dinette: tables, items, PartiQL, and features of a stand-in: a clock that "
    "can be moved, "
    "worlds (forks of all tables) and snapshots. Items are plain JSON: {\"artist\": \"Nina Simone\", "
    "\"plays\": 3}. "
    "Sets, binary values and numbers of more than 15 digits appear as DynamoDB writes them, {\"SS\": "
    "[\"a\"]}, "
    "{\"B\": \"AP8=\"}, {\"N\": \"...\"}, and any value may be given in that form. A long result ends with "
    "next_page: "
    "call the tool again with it as 'page'. ";
constexpr const char* read_only_text =
    "Nothing can be written: the server was started without --allow-writes.";
constexpr const char* writable_text =
    "Writing is allowed. Fork a world, or take a snapshot, before risky changes.";

/// Names of worlds and ids of snapshots become parts of paths and headers.
constexpr std::array<const char*, 4> names_in_requests{"world", "name", "from", "id"};
constexpr std::size_t most_name_bytes = 128;

OrderedJson input_schema(const Tool& tool) {
  return {{"type", "object"},
          {"properties", tool.properties},
          {"required", tool.required},
          {"additionalProperties", false}};
}

OrderedJson annotations(const Tool& tool, bool allow_writes) {
  const bool writes = tool.only_writes() || (tool.effect == Effect::as_is_allowed && allow_writes);
  OrderedJson hints{{"title", tool.title}, {"readOnlyHint", !writes}};
  if (writes) hints["destructiveHint"] = tool.effect != Effect::adds;
  hints["openWorldHint"] = false;
  return hints;
}

OrderedJson listed(const Tool& tool, std::string_view revision, bool allow_writes) {
  OrderedJson entry{{"name", tool.name}};
  if (revision >= with_titles) entry["title"] = tool.title;
  entry["description"] = tool.description;
  entry["inputSchema"] = input_schema(tool);
  if (revision >= with_annotations) entry["annotations"] = annotations(tool, allow_writes);
  return entry;
}

bool is_name(const std::string& text) {
  const auto allowed = [](char c) { return base::is_word_character(c) || c == '-' || c == '.'; };
  return !text.empty() && text.size() <= most_name_bytes && base::is_word_character(text.front()) &&
         std::ranges::all_of(text, allowed);
}

std::optional<std::string> name_problem(const Json& arguments) {
  for (const char* name : names_in_requests) {
    const auto found = arguments.find(name);
    if (found == arguments.end() || found->is_null()) continue;
    if (!is_name(found->get_ref<const std::string&>()))
      return "the argument '" + std::string(name) +
             "' is not a valid name: letters, digits, '-', '_' and '.', up to 128";
  }
  return std::nullopt;
}

std::string call_result(const ToolResult& outcome) {
  const Json content{{"type", "text"}, {"text", outcome ? text_of(*outcome) : outcome.error()}};
  return text_of({{"content", Json::array({content})}, {"isError", !outcome.ok()}});
}

}  // namespace

/// What a session keeps.
class Server::Impl {
 public:
  Impl(ServerOptions options, Backend& backend) : options_(std::move(options)), backend_(backend) {
    for (const Tool& tool : all_tools()) {
      if (options_.allow_writes || !tool.only_writes()) tools_.emplace(tool.name, &tool);
    }
  }

  std::string handle(std::string_view text) {
    auto read = read_json(text, most_message_depth);
    if (!read) return answer(nullptr, RpcError{parse_error, "Parse error: the message " + read.error()});
    if (read->is_array() && revision_ == with_batches) return handle_batch(*std::move(read));
    return handle_one(*std::move(read));
  }

 private:
  using Outcome = base::Result<std::string, RpcError>;

  static base::Failure<RpcError> invalid(std::string why) {
    return base::Failure{RpcError{invalid_params, "Invalid params: " + std::move(why)}};
  }

  std::string handle_batch(Json messages) {
    if (messages.empty() || messages.size() > most_messages_of_batch) {
      return answer(nullptr,
                    RpcError{invalid_request, "Invalid Request: a batch has 1 to " +
                                                  std::to_string(most_messages_of_batch) + " messages"});
    }
    std::string answers;
    for (Json& message : messages) {
      const std::string one = handle_one(std::move(message));
      if (!one.empty()) answers += (answers.empty() ? "[" : ",") + one;
    }
    return answers.empty() ? "" : answers + "]";
  }

  std::string handle_one(Json value) {
    Json id;
    const auto message = read_message(std::move(value), id);
    if (!message) return answer(id, message.error());
    if (message->id.is_null()) return "";  // cancellations, too: what they name has been answered by now
    const Outcome outcome = carry_out(*message);
    return outcome ? answer(id, *outcome) : answer(id, outcome.error());
  }

  Outcome carry_out(const Message& message) try {
    if (message.method == "ping") return std::string("{}");
    if (message.method == "initialize") return initialize(message.params);
    if (revision_.empty())
      return base::Failure{RpcError{invalid_request, "Invalid Request: initialize must come first"}};
    if (message.method == "tools/list") return list_tools(message.params);
    if (message.method == "tools/call") return call_tool(message.params);
    return base::Failure{RpcError{method_not_found, "Method not found: " + message.method}};
  } catch (const std::exception& error) {
    return base::Failure{RpcError{internal_error, std::string("Internal error: ") + error.what()}};
  }

  Outcome initialize(const Json& params) {
    const auto wanted = params.find("protocolVersion");
    if (wanted == params.end() || !wanted->is_string()) return invalid("protocolVersion is missing");
    const auto known = std::ranges::find(revisions, wanted->get_ref<const std::string&>());
    revision_ = known == revisions.end() ? revisions.back() : *known;
    OrderedJson server{{"name", "dinette"}};
    if (revision_ >= with_titles) server["title"] = "Dinette";
    server["version"] = options_.version;
    const OrderedJson result{{"protocolVersion", revision_},
                             {"capabilities", {{"tools", OrderedJson::object()}}},
                             {"serverInfo", std::move(server)},
                             {"instructions", std::string(instructions_text) +
                                                  (options_.allow_writes ? writable_text : read_only_text)}};
    return result.dump();
  }

  Outcome list_tools(const Json& params) const {
    // All are on the first page, so no cursor is ours.
    if (params.contains("cursor")) return invalid("the cursor is unknown");
    OrderedJson list = OrderedJson::array();
    for (const Tool& tool : all_tools()) {
      if (tools_.contains(tool.name)) list.push_back(listed(tool, revision_, options_.allow_writes));
    }
    return OrderedJson{{"tools", std::move(list)}}.dump();
  }

  Outcome call_tool(const Json& params) {
    const auto name = params.find("name");
    if (name == params.end() || !name->is_string()) return invalid("name is missing");
    const auto found = tools_.find(name->get_ref<const std::string&>());
    if (found == tools_.end()) return invalid("unknown tool: " + name->get<std::string>());
    const Tool& tool = *found->second;
    const Json arguments = params.value("arguments", Json::object());
    if (!arguments.is_object()) return invalid("arguments must be an object");
    if (const auto problem = argument_problem(Json(input_schema(tool)), arguments)) return invalid(*problem);
    if (const auto problem = name_problem(arguments)) return invalid(*problem);
    return call_result(tool.run({backend_, options_.allow_writes, arguments}));
  }

  const ServerOptions options_;
  Backend& backend_;
  std::map<std::string_view, const Tool*, std::less<>> tools_;
  std::string_view revision_;  ///< empty before the initialization
};

Server::Server(ServerOptions options, Backend& backend)
    : impl_(std::make_unique<Impl>(std::move(options), backend)) {}

Server::~Server() = default;

std::string Server::handle(std::string_view message) {
  return impl_->handle(message);
}

std::string Server::refuse_long_message() {
  return answer(nullptr, RpcError{invalid_request, "Invalid Request: the message is longer than " +
                                                       std::to_string(most_message_bytes) + " bytes"});
}

}  // namespace dinette::mcp
