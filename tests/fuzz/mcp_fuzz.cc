// Messages of the Model Context Protocol, and answers of the server that the tools work on. An input is
// lines: each is sent as a message, and is the body, and the explanation, of what the server answers to the
// next one. The whole is also read as a file of items and as metrics.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dinette/mcp/server.h"

#include "mcp/existing_tables.h"
#include "mcp/item_file.h"
#include "mcp/json.h"
#include "mcp/metrics_summary.h"
#include "mcp/values.h"

namespace dinette::mcp {
namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

class Echo final : public Backend {
 public:
  Outcome operate(std::string_view, std::string_view, std::string_view request, bool explain) override {
    expect(Json::accept(request));
    const int status = next_.starts_with(R"({"__type")") ? 400 : 200;
    return Reply{status, next_, explain ? next_ : ""};
  }
  Outcome administrate(std::string_view, std::string_view target, std::string_view body) override {
    expect(target.find_first_of("\r\n ") == std::string_view::npos);
    expect(body.empty() || Json::accept(body));
    return Reply{next_.size() % 2 == 0 ? 200 : 400, next_};
  }

  std::string next_ = R"({"Items":[{"p":{"S":"a"}}],"LastEvaluatedKey":{"p":{"S":"a"}}})";
};

void check_statement(std::string_view line) {
  expect(table_of_statement(line).size() <= line.size());
}

/// What is shown of any value can be given back, and is then shown as before.
void check_values(std::string_view line) {
  const auto value = read_json(line, 50);
  if (!value) return;
  const Json typed = typed_value(*value);
  const Json plain = plain_value(typed);
  expect(text_of(plain_value(typed_value(plain))) == text_of(plain));
}

void check_message(Server& server, std::string_view line) {
  const std::string answer = server.handle(line);
  expect(answer.find('\n') == std::string::npos);
  if (!answer.empty()) expect(Json::accept(answer));
}

}  // namespace
}  // namespace dinette::mcp

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dinette::mcp;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Echo backend;
  Server server({.allow_writes = true, .version = "1"}, backend);
  server.handle(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}})");
  // Files that are imported, and metrics, have several lines.
  if (const auto items = items_in_text(text)) expect(items->size() <= most_file_items);
  metrics_summary(text);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    check_values(line);
    check_statement(line);
    check_message(server, line);
    backend.next_ = line;
  }
  return 0;
}
