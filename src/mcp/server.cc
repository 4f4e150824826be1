#include "dinette/mcp/server.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <utility>

#include "mcp/arguments.h"
#include "mcp/message.h"
#include "mcp/revision.h"
#include "mcp/tool.h"
#include "mcp/tool_list.h"

namespace dinette::mcp {
namespace {

constexpr std::size_t most_messages_of_batch = 100;

constexpr const char* instructions_text =
    "Tools for a local DynamoDB, Dinette: tables, items, PartiQL, and features of a stand-in: a clock that "
    "can be moved, worlds (forks of all tables), snapshots and injected faults. Items are plain JSON: "
    "{\"artist\": \"Nina Simone\", \"plays\": 3}. Sets, binary values and numbers of more than 15 digits "
    "appear "
    "as DynamoDB writes them, {\"SS\": [\"a\"]}, {\"B\": \"AP8=\"}, {\"N\": \"...\"}, and any value may be "
    "given in "
    "that form. A long result ends with next_page: call the tool again with it as 'page'. To find out why a "
    "program misbehaves, call recent_requests, which shows its requests and their errors; explain: true says "
    "how a query was executed. ";
constexpr const char* read_only_text =
    "Nothing can be written: the server was started without --allow-writes.";
constexpr const char* writable_text =
    "Writing is allowed. Fork a world, or take a snapshot, before risky changes.";

// Of requests without a session, which carry what else a session would know.
constexpr const char* revision_key = "io.modelcontextprotocol/protocolVersion";
constexpr const char* capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* server_key = "io.modelcontextprotocol/serverInfo";

/// How long clients may keep what does not change until the program ends.
constexpr int kept_milliseconds = 60'000;

OrderedJson call_result(const ToolResult& outcome) {
  const OrderedJson content{{"type", "text"}, {"text", outcome ? text_of(*outcome) : outcome.error()}};
  return {{"content", OrderedJson::array({content})}, {"isError", !outcome.ok()}};
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
    if (read->is_array() && session_ != nullptr && session_->batches) return handle_batch(*std::move(read));
    return handle_one(*std::move(read));
  }

 private:
  using Outcome = base::Result<std::string, RpcError>;
  using Tried = base::Result<OrderedJson, RpcError>;

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
    if (message.method == "initialize") return initialize(message.params);
    DINETTE_TRY(const Revision* const revision, revision_of(message));
    DINETTE_TRY(OrderedJson result, revision == nullptr || revision->sessions
                                        ? result_of_session(message)
                                        : result_of_request(message, *revision));
    return result.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  } catch (const std::exception& error) {
    return base::Failure{RpcError{internal_error, std::string("Internal error: ") + error.what()}};
  }

  /// Returns the revision that a request names, else that of the session; null: there is none.
  base::Result<const Revision*, RpcError> revision_of(const Message& message) const {
    const Json& named = member_of(member_of(message.params, "_meta"), revision_key);
    if (named.is_null()) {
      if (message.method == "server/discover" && session_ == nullptr)
        return invalid(std::string("_meta has no ") + revision_key);
      return session_;
    }
    if (!named.is_string()) return invalid(std::string(revision_key) + " must be a string");
    const Revision* const known = find_revision(named.get_ref<const std::string&>());
    if (known == nullptr) return base::Failure{unsupported(named)};
    return known->sessions ? session_ : known;
  }

  static RpcError unsupported(const Json& requested) {
    Json supported = Json::array();
    for (const Revision& revision : revisions()) supported.push_back(revision.name);
    return {unsupported_revision,
            "Unsupported protocol version",
            {{"supported", std::move(supported)}, {"requested", requested}}};
  }

  Tried result_of_session(const Message& message) const {
    if (message.method == "ping") return OrderedJson::object();
    if (session_ == nullptr)
      return base::Failure{RpcError{invalid_request, "Invalid Request: initialize must come first"}};
    return result_of_tools(message, *session_);
  }

  /// The result of a request that stands alone, with what all of these have.
  Tried result_of_request(const Message& message, const Revision& revision) const {
    const bool cached = message.method != "tools/call";
    if (!member_of(member_of(message.params, "_meta"), capabilities_key).is_object())
      return invalid(std::string("_meta has no ") + capabilities_key);
    DINETTE_TRY(OrderedJson result,
                message.method == "server/discover" ? discovered() : result_of_tools(message, revision));
    result["resultType"] = "complete";
    if (cached) result["ttlMs"] = kept_milliseconds;
    if (cached) result["cacheScope"] = "private";  // depends on how the user started the program
    result["_meta"] = {{server_key, server_info(revision)}};
    return result;
  }

  Tried result_of_tools(const Message& message, const Revision& revision) const {
    if (message.method == "tools/list") return list_tools(message.params, revision);
    if (message.method == "tools/call") return call_tool(message.params);
    return base::Failure{RpcError{method_not_found, "Method not found: " + message.method}};
  }

  OrderedJson server_info(const Revision& revision) const {
    OrderedJson server{{"name", "dinette"}};
    if (revision.titles) server["title"] = "Dinette";
    server["version"] = options_.version;
    return server;
  }

  std::string instructions() const {
    return std::string(instructions_text) + (options_.allow_writes ? writable_text : read_only_text);
  }

  Outcome initialize(const Json& params) {
    const auto wanted = params.find("protocolVersion");
    if (wanted == params.end() || !wanted->is_string()) return invalid("protocolVersion is missing");
    const Revision* const known = find_revision(wanted->get_ref<const std::string&>());
    session_ = known != nullptr && known->sessions ? known : &newest_with_sessions();
    const OrderedJson result{{"protocolVersion", session_->name},
                             {"capabilities", {{"tools", OrderedJson::object()}}},
                             {"serverInfo", server_info(*session_)},
                             {"instructions", instructions()}};
    return result.dump();
  }

  Tried discovered() const {
    OrderedJson supported = OrderedJson::array();
    for (const Revision& revision : revisions()) supported.push_back(revision.name);
    return OrderedJson{{"supportedVersions", std::move(supported)},
                       {"capabilities", {{"tools", OrderedJson::object()}}},
                       {"instructions", instructions()}};
  }

  Tried list_tools(const Json& params, const Revision& revision) const {
    // All are on the first page, so no cursor is ours.
    if (params.contains("cursor")) return invalid("the cursor is unknown");
    OrderedJson list = OrderedJson::array();
    for (const Tool& tool : all_tools()) {
      if (tools_.contains(tool.name)) list.push_back(listed(tool, revision, options_.allow_writes));
    }
    return OrderedJson{{"tools", std::move(list)}};
  }

  Tried call_tool(const Json& params) const {
    const auto name = params.find("name");
    if (name == params.end() || !name->is_string()) return invalid("name is missing");
    const auto found = tools_.find(name->get_ref<const std::string&>());
    if (found == tools_.end()) return unknown_tool(name->get<std::string>());
    const Tool& tool = *found->second;
    const Json arguments = params.value("arguments", Json::object());
    if (!arguments.is_object()) return invalid("arguments must be an object");
    auto problem = argument_problem(Json(input_schema(tool)), arguments);
    if (!problem) problem = name_problem(arguments);
    // A result, not an error of the protocol: clients show it to the model, which can do better.
    if (problem) return call_result(base::Failure{"Invalid arguments: " + *problem});
    return call_result(tool.run({backend_, options_.allow_writes, arguments, options_.import_folder}));
  }

  static base::Failure<RpcError> unknown_tool(const std::string& name) {
    const bool writes = std::ranges::any_of(all_tools(), [&](const Tool& tool) { return tool.name == name; });
    return invalid("unknown tool: " + name +
                   (writes ? ", which writes: dinette mcp was started without --allow-writes" : ""));
  }

  const ServerOptions options_;
  Backend& backend_;
  std::map<std::string_view, const Tool*, std::less<>> tools_;
  const Revision* session_ = nullptr;  ///< null before the initialization
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
