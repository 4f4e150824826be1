#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/mcp/server.h"

#include "mcp/json.h"

namespace test {

/// A backend that notes what is asked for, and answers as a test says.
struct NotedBackend final : dinette::mcp::Backend {
  std::vector<std::string>
      asked;  ///< "ListTables {...}", "w: explained Query {...}", "PUT /_dinette/clock {...}"
  std::function<Outcome(const std::string& asked)> answer = [](const std::string&) {
    return dinette::mcp::Reply{200, "{}"};
  };

  Outcome operate(std::string_view world, std::string_view operation, std::string_view request,
                  bool explain) override {
    return note((world.empty() ? "" : std::string(world) + ": ") + (explain ? "explained " : "") +
                    std::string(operation),
                request);
  }

  Outcome administrate(std::string_view method, std::string_view target, std::string_view body) override {
    return note(std::string(method) + " " + std::string(target), body);
  }

 private:
  Outcome note(std::string what, std::string_view request) {
    if (!request.empty()) what += " " + std::string(request);
    asked.push_back(what);
    return answer(what);
  }
};

/// A session that has been initialized.
struct Session {
  NotedBackend backend;
  dinette::mcp::Server server;

  explicit Session(bool allow_writes = false, const std::string& revision = "2025-11-25",
                   const std::filesystem::path& import_folder = {})
      : server({.allow_writes = allow_writes, .import_folder = import_folder, .version = "1"}, backend) {
    server.handle(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
                  revision + R"(","capabilities":{},"clientInfo":{"name":"test","version":"1"}}})");
  }

  /// Sends a request with the id 1, and returns the answer.
  dinette::mcp::Json request(const std::string& method, const dinette::mcp::Json& params) {
    return dinette::mcp::Json::parse(server.handle(
        dinette::mcp::Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump()));
  }

  /// Calls a tool and returns its text, or the error's.
  std::string call(const std::string& name, const std::string& arguments) {
    const auto answer =
        request("tools/call", {{"name", name}, {"arguments", dinette::mcp::Json::parse(arguments)}});
    if (answer.contains("error")) return answer["error"]["message"];
    const auto& result = answer["result"];
    const std::string text = result["content"][0]["text"];
    return result["isError"] == true ? "error: " + text : text;
  }
};

}  // namespace test
