// What JSON-RPC 2.0 and the Model Context Protocol demand of a server: modelcontextprotocol.io/specification,
// "Lifecycle", "Messages", "Transports" and "Tools" of each revision.

#include "dinette/mcp/server.h"

#include <sstream>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include "mcp/session.h"
#include "mcp/tool.h"

namespace dinette::mcp::server_test {
namespace {

using test::Session;

std::string error_of(const Json& answer) {
  return answer["error"]["code"].dump() + " " + answer["error"]["message"].get<std::string>();
}

struct Fresh {
  test::NotedBackend backend;
  Server server{{.allow_writes = false, .version = "1.2.3"}, backend};

  Json answer(const std::string& message) { return Json::parse(server.handle(message)); }
};

Json initialized(const std::string& revision) {
  Fresh fresh;
  return fresh.answer(R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":")" +
                      revision + R"(","capabilities":{},"clientInfo":{"name":"x","version":"1"}}})");
}

/// A request of revision 2026-07-28, which stands alone.
std::string alone(const std::string& method, Json params = Json::object()) {
  params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()}};
  return Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump();
}

TEST_CASE("the revision that the client asks for is taken if it is known, else the newest") {
  for (const std::string revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    CHECK(initialized(revision)["result"]["protocolVersion"] == revision);
  CHECK(initialized("1")["result"]["protocolVersion"] == "2025-11-25");
}

TEST_CASE("a session has none of the revisions without sessions") {
  CHECK(initialized("2026-07-28")["result"]["protocolVersion"] == "2025-11-25");
}

TEST_CASE("the answer to initialize says who serves, and what") {
  const Json answer = initialized("2025-06-18");
  CHECK(answer["jsonrpc"] == "2.0");
  CHECK(answer["id"] == "a");
  CHECK(answer["result"]["capabilities"] == Json{{"tools", Json::object()}});
  CHECK(answer["result"]["serverInfo"] ==
        Json{{"name", "dinette"}, {"title", "Dinette"}, {"version", "1.2.3"}});
  CHECK(answer["result"]["instructions"].is_string());
  CHECK_FALSE(initialized("2025-03-26")["result"]["serverInfo"].contains("title"));
}

TEST_CASE("before the initialization only ping is answered") {
  Fresh fresh;
  CHECK(fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"ping"})")["result"] == Json::object());
  CHECK(error_of(fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")) ==
        "-32600 Invalid Request: initialize must come first");
  CHECK(error_of(fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})")) ==
        "-32602 Invalid params: protocolVersion is missing");
}

TEST_CASE("a request that names its revision needs no session") {
  Fresh fresh;
  const Json known = fresh.answer(alone("server/discover"))["result"];
  CHECK(known["supportedVersions"] ==
        Json::array({"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}));
  CHECK(known["capabilities"] == Json{{"tools", Json::object()}});
  CHECK(known["instructions"].is_string());
  const Json list = fresh.answer(alone("tools/list"))["result"];
  CHECK(list["tools"][0]["name"] == "list_tables");
  CHECK(list["tools"][0].contains("title"));
  const Json called = fresh.answer(alone("tools/call", {{"name", "list_worlds"}}))["result"];
  CHECK(called["isError"] == false);
  for (const Json& result : {known, list, called}) {
    CHECK(result["resultType"] == "complete");
    CHECK(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "dinette");
    CHECK(result.contains("ttlMs") == result.contains("cacheScope"));
  }
  CHECK(list["cacheScope"] == "private");
  CHECK_FALSE(called.contains("ttlMs"));
}

TEST_CASE("what a session does not leave behind, and what a request without one lacks") {
  Fresh fresh;
  CHECK(error_of(fresh.answer(alone("ping"))) == "-32601 Method not found: ping");
  fresh.answer(alone("tools/list"));
  CHECK(error_of(fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")) ==
        "-32600 Invalid Request: initialize must come first");
  CHECK(error_of(fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})")) ==
        "-32602 Invalid params: _meta has no io.modelcontextprotocol/protocolVersion");
  CHECK(error_of(fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)"
                              R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})")) ==
        "-32602 Invalid params: _meta has no io.modelcontextprotocol/clientCapabilities");
  CHECK(error_of(fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)"
                              R"({"io.modelcontextprotocol/protocolVersion":1}}})")) ==
        "-32602 Invalid params: io.modelcontextprotocol/protocolVersion must be a string");
}

TEST_CASE("a request of an unknown revision is answered with those that are known") {
  Fresh fresh;
  const Json answer = fresh.answer(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":)"
                                   R"({"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}})");
  CHECK(error_of(answer) == "-32022 Unsupported protocol version");
  CHECK(answer["error"]["data"]["requested"] == "2099-01-01");
  CHECK(answer["error"]["data"]["supported"][0] == "2026-07-28");
}

TEST_CASE("both kinds of requests may come in turns") {
  Session session;
  const auto result = [&](const std::string& message) {
    return Json::parse(session.server.handle(message))["result"];
  };
  CHECK(result(alone("tools/list")).contains("resultType"));
  CHECK_FALSE(result(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})").contains("resultType"));
  // A revision that has sessions, named by a request, is that of the session.
  CHECK_FALSE(result(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":)"
                     R"({"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}})")
                  .contains("resultType"));
}

TEST_CASE("notifications and answers get no answer") {
  Session session;
  for (const char* message :
       {R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"late"}})",
        R"({"jsonrpc":"2.0","method":"notifications/unheard-of"})", R"({"jsonrpc":"2.0","id":3,"result":{}})",
        R"({"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}})"}) {
    INFO(message);
    CHECK(session.server.handle(message).empty());
  }
}

TEST_CASE("what is not a request is refused with the codes of JSON-RPC") {
  Session session;
  const auto refused = [&](const std::string& message) {
    const Json answer = Json::parse(session.server.handle(message));
    CHECK(answer["jsonrpc"] == "2.0");
    return answer["id"].dump() + " " + error_of(answer);
  };
  CHECK(refused("{") == "null -32700 Parse error: the message is not valid JSON");
  CHECK(refused("\xff") == "null -32700 Parse error: the message is not valid JSON");
  CHECK(refused("1") == "null -32600 Invalid Request: a message is an object");
  CHECK(refused("[]") == "null -32600 Invalid Request: a message is an object");
  CHECK(refused(R"({"id":1,"method":"ping"})") == R"(1 -32600 Invalid Request: "jsonrpc" must be "2.0")");
  CHECK(refused(R"({"jsonrpc":"1.0","id":1,"method":"ping"})") ==
        R"(1 -32600 Invalid Request: "jsonrpc" must be "2.0")");
  for (const char* id : {"null", "1.5", "true", "{}"}) {
    CHECK(refused(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})") ==
          R"(null -32600 Invalid Request: "id" must be a string or a whole number)");
  }
  CHECK(refused(R"({"jsonrpc":"2.0","id":1})") == R"(1 -32600 Invalid Request: "method" must be a string)");
  CHECK(refused(R"({"jsonrpc":"2.0","id":1,"method":2})") ==
        R"(1 -32600 Invalid Request: "method" must be a string)");
  CHECK(refused(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})") ==
        R"(1 -32600 Invalid Request: "params" must be an object)");
  CHECK(refused(R"({"jsonrpc":"2.0","id":"x","method":"resources/list"})") ==
        R"("x" -32601 Method not found: resources/list)");
  CHECK(refused(std::string(101, '[')) ==
        "null -32700 Parse error: the message nests deeper than 100 levels");
}

TEST_CASE("batches are of the revision 2025-03-26 alone") {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},
                               {"jsonrpc":"2.0","id":2,"method":"nothing"}])";
  Session with(false, "2025-03-26");
  const Json answers = Json::parse(with.server.handle(batch));
  REQUIRE(answers.size() == 2);
  CHECK(answers[0]["result"] == Json::object());
  CHECK(answers[1]["error"]["code"] == -32601);
  CHECK(with.server.handle(R"([{"jsonrpc":"2.0","method":"notifications/x"}])").empty());
  CHECK(error_of(Json::parse(with.server.handle("[]"))) ==
        "-32600 Invalid Request: a batch has 1 to 100 messages");
  Session without;
  CHECK(Json::parse(without.server.handle(batch))["error"]["code"] == -32600);
}

TEST_CASE("tools that write are there only if they are allowed") {
  const auto names = [](bool allow_writes) {
    Session session(allow_writes);
    std::string all;
    const Json answer = session.request("tools/list", Json::object());
    for (const Json& tool : answer["result"]["tools"]) all += tool["name"].get<std::string>() + " ";
    return all;
  };
  CHECK(names(false) ==
        "list_tables describe_table get_item query scan execute_statement recent_requests report metrics "
        "list_faults show_clock list_worlds list_snapshots ");
  CHECK(names(true) ==
        "list_tables describe_table create_table get_item query scan execute_statement put_item update_item "
        "delete_item put_items import_items recent_requests report record_report metrics list_faults "
        "inject_faults clear_faults show_clock set_clock list_worlds fork_world drop_world reset_world "
        "list_snapshots "
        "take_snapshot "
        "restore_snapshot ");
  Session reading;
  CHECK(
      reading.call("put_item", R"({"table":"abc","item":{}})") ==
      "Invalid params: unknown tool: put_item, which writes: dinette mcp was started without --allow-writes");
  CHECK(reading.call("drop_everything", "{}") == "Invalid params: unknown tool: drop_everything");
  CHECK(reading.backend.asked.empty());
}

TEST_CASE("each function of a tool is described in api-specs/mcp/tools.json") {
  std::size_t functions = 0;
  for (const auto& some : all_functions()) functions += some.size();
  CHECK(all_tools().size() == functions);
}

TEST_CASE("each tool describes itself and its arguments") {
  Session session(true);
  const Json answer = session.request("tools/list", Json::object());
  for (const Json& tool : answer["result"]["tools"]) {
    INFO(tool["name"]);
    CHECK(tool["title"] == tool["annotations"]["title"]);
    CHECK(tool["description"].get<std::string>().ends_with('.'));
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK(tool["inputSchema"]["additionalProperties"] == false);
    for (const auto& [name, schema] : tool["inputSchema"]["properties"].items()) {
      INFO(name);
      CHECK(schema["description"].get<std::string>().find_first_of(".?") != std::string::npos);
      CHECK(schema.contains("type"));
    }
    for (const Json& name : tool["inputSchema"]["required"])
      CHECK(tool["inputSchema"]["properties"].contains(name.get<std::string>()));
  }
}

TEST_CASE("hints say what a tool may do to data") {
  const auto hints = [](bool allow_writes, const std::string& name) {
    Session session(allow_writes);
    const Json answer = session.request("tools/list", Json::object());
    for (const Json& tool : answer["result"]["tools"]) {
      if (tool["name"] == name) return tool["annotations"];
    }
    return Json();
  };
  CHECK(hints(false, "scan")["readOnlyHint"] == true);
  CHECK(hints(false, "execute_statement")["readOnlyHint"] == true);
  CHECK(hints(true, "execute_statement")["readOnlyHint"] == false);
  CHECK(hints(true, "put_item")["destructiveHint"] == true);
  CHECK(hints(true, "fork_world")["destructiveHint"] == false);
  Session old(false, "2024-11-05");
  const Json answer = old.request("tools/list", Json::object());
  CHECK_FALSE(answer["result"]["tools"][0].contains("annotations"));
  CHECK_FALSE(answer["result"]["tools"][0].contains("title"));
}

TEST_CASE("a call that is not one of a tool is an error of the protocol") {
  Session session;
  CHECK(error_of(session.request("tools/list", {{"cursor", "x"}})) ==
        "-32602 Invalid params: the cursor is unknown");
  CHECK(error_of(session.request("tools/call", Json::object())) == "-32602 Invalid params: name is missing");
  CHECK(error_of(session.request("tools/call", {{"name", "scan"}, {"arguments", 1}})) ==
        "-32602 Invalid params: arguments must be an object");
  CHECK(session.backend.asked.empty());
}

TEST_CASE("arguments that do not fit are a result that says what is expected") {
  Session session;
  CHECK(session.call("scan", "{}") ==
        "error: Invalid arguments: the argument 'table' is missing, a string: Name of the table.");
  CHECK(
      session.call("scan", R"({"table":"abc","limit":"5"})") ==
      "error: Invalid arguments: the argument 'limit' must be an integer: Maximum number of items to return; "
      "absent: 25.");
  CHECK_THAT(
      session.call("list_tables", R"({"pgae":"x"})"),
      Catch::StartsWith("error: Invalid arguments: there is no argument 'pgae'; it takes page, world"));
  CHECK(session.call("list_tables", R"({"world":"a\r\nX: y"})")
            .starts_with("error: Invalid arguments: the argument 'world' is"));
  CHECK(session.backend.asked.empty());
}

TEST_CASE("a failure of the server is a result that says so") {
  Session session;
  session.backend.answer = [](const std::string&) {
    return Reply{
        400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"gone"})"};
  };
  CHECK(session.call("scan", R"({"table":"abc"})") ==
        "error: ResourceNotFoundException: gone");  // nor tables
  session.backend.answer = [](const std::string&) { return base::Failure{std::string("nobody is there")}; };
  CHECK(session.call("scan", R"({"table":"abc"})") == "error: nobody is there");
  session.backend.answer = [](const std::string&) { return Reply{502, "<html>"}; };
  CHECK(session.call("scan", R"({"table":"abc"})") ==
        "error: the server's response is not DynamoDB's: status 502");
  session.backend.answer = [](const std::string&) { return Reply{404, ""}; };
  CHECK(session.call("list_worlds", "{}") ==
        "error: the server has no such administration (status 404); is it Dinette, and started without "
        "--no-admin?");
}

TEST_CASE("lines are answered one by one until the input ends") {
  test::NotedBackend backend;
  Server server({}, backend);
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  std::istringstream input(ping + "\r\n\n" + std::string(most_message_bytes + 1, ' ') + "\n" + ping);
  std::ostringstream output;
  serve_lines(server, input, output);
  const std::string pong = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
  CHECK(output.str() == pong + Server::refuse_long_message() + "\n" + pong);
  CHECK(error_of(Json::parse(Server::refuse_long_message())) ==
        "-32600 Invalid Request: the message is longer than 4194304 bytes");
}

TEST_CASE("the instructions say whether anything can be written") {
  const auto instructions = [](bool allow_writes) {
    test::NotedBackend backend;
    Server server({.allow_writes = allow_writes, .version = "1"}, backend);
    const std::string answer = server.handle(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
    return Json::parse(answer)["result"]["instructions"].get<std::string>();
  };
  CHECK_THAT(instructions(false), Catch::Contains("Nothing can be written"));
  CHECK_THAT(instructions(true), Catch::Contains("Writing is allowed"));
}

TEST_CASE("a batch has at most a hundred messages") {
  Session session(false, "2025-03-26");
  const auto batch = [&](int messages) {
    std::string text = "[";
    for (int i = 0; i < messages; ++i)
      text += (i > 0 ? "," : "") + std::string(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    return Json::parse(session.server.handle(text + "]"));
  };
  CHECK(batch(100).size() == 100);
  CHECK(error_of(batch(101)) == "-32600 Invalid Request: a batch has 1 to 100 messages");
}

TEST_CASE("names of worlds and snapshots can be parts of a path") {
  Session session(true);
  const auto refused = [&](const std::string& tool, const std::string& argument, const std::string& name) {
    const std::string text = session.call(tool, Json{{argument, name}}.dump());
    return text == "error: Invalid arguments: the argument '" + argument +
                       "' is not a valid name: letters, digits, '-', '_' and '.', up to 128";
  };
  for (const std::string& bad : {std::string(), std::string("-a"), std::string(".."), std::string("a/b"),
                                 std::string("a?b"), std::string("\u00E4"), std::string(129, 'a')}) {
    INFO(bad);
    CHECK(refused("drop_world", "name", bad));
    CHECK(refused("fork_world", "from", bad));
    CHECK(refused("restore_snapshot", "id", bad));
    CHECK(refused("list_tables", "world", bad));
  }
  CHECK(session.backend.asked.empty());
  for (const std::string& good : {std::string("a"), std::string("_a-b.c9"), std::string(128, 'a')})
    CHECK_FALSE(refused("drop_world", "name", good));
  CHECK(session.backend.asked.size() == 3);
}

TEST_CASE("only what works in a world takes the name of one") {
  Session session(true);
  std::string without;
  const Json answer = session.request("tools/list", Json::object());
  for (const Json& tool : answer["result"]["tools"]) {
    if (!tool["inputSchema"]["properties"].contains("world"))
      without += tool["name"].get<std::string>() + " ";
  }
  CHECK(without == "metrics list_worlds fork_world drop_world list_snapshots ");
}

TEST_CASE("hints of destruction are given of tools that write, and of no others") {
  Session session(true);
  std::string reading;
  std::string adding;
  std::string destroying;
  std::string repeatable;
  const Json answer = session.request("tools/list", Json::object());
  for (const Json& tool : answer["result"]["tools"]) {
    const Json& hints = tool["annotations"];
    CHECK(hints["openWorldHint"] == false);
    CHECK(hints.contains("destructiveHint") != hints["readOnlyHint"]);
    CHECK(hints.contains("idempotentHint") != hints["readOnlyHint"]);
    if (hints.value("idempotentHint", false)) repeatable += tool["name"].get<std::string>() + " ";
    std::string& names = hints["readOnlyHint"] == true      ? reading
                         : hints["destructiveHint"] == true ? destroying
                                                            : adding;
    names += tool["name"].get<std::string>() + " ";
  }
  CHECK(
      reading ==
      "list_tables describe_table get_item query scan recent_requests report metrics list_faults show_clock "
      "list_worlds list_snapshots ");
  CHECK(adding == "create_table fork_world take_snapshot ");
  CHECK(
      destroying ==
      "execute_statement put_item update_item delete_item put_items import_items record_report inject_faults "
      "clear_faults set_clock drop_world reset_world restore_snapshot ");
  CHECK(repeatable ==
        "create_table put_item delete_item put_items import_items record_report clear_faults drop_world "
        "reset_world restore_snapshot ");
}

TEST_CASE("an error is reported in the words of the server, in whatever form it came") {
  Session session;
  const auto told = [&](const std::string& tool, const std::string& arguments, int status,
                        const std::string& body) {
    session.backend.answer = [&](const std::string&) { return Reply{status, body}; };
    return session.call(tool, arguments);
  };
  const std::string scan = R"({"table":"abc"})";
  CHECK(told("scan", scan, 400, R"({"__type":"a#SomeException","Message":"no"})") ==
        "error: SomeException: no");
  CHECK(told("scan", scan, 400, R"({"__type":"SomeException"})") == "error: SomeException");
  CHECK(told("scan", scan, 500, R"({"message":"no"})") == "error: status 500: no");
  CHECK(told("scan", scan, 200, "[]") == "error: the server's response is not DynamoDB's: status 200");
  CHECK(told("list_worlds", "{}", 409, R"({"error":{"message":"there is no world 'x'"}})") ==
        "error: there is no world 'x'");
  CHECK(told("list_worlds", "{}", 301, "{}").starts_with("error: the server has no such administration"));
}

TEST_CASE("an exception is an internal error of the protocol") {
  Session session;
  session.backend.answer = [](const std::string&) -> Backend::Outcome { throw std::runtime_error("broken"); };
  CHECK(error_of(session.request("tools/call", {{"name", "list_tables"}})) ==
        "-32603 Internal error: broken");
}

TEST_CASE("no line is read once nothing can be written any more") {
  test::NotedBackend backend;
  Server server({}, backend);
  std::istringstream input("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nrest");
  std::ostringstream output;
  output.setstate(std::ios::badbit);
  serve_lines(server, input, output);
  std::string rest;
  std::getline(input, rest);
  CHECK(rest.ends_with("\"ping\"}"));
}

}  // namespace
}  // namespace dinette::mcp::server_test
