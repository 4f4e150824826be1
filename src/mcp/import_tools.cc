// Tools that write many items.

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "mcp/item_batch.h"
#include "mcp/item_file.h"
#include "mcp/tool.h"
#include "mcp/values.h"

namespace dinette::mcp {
namespace {

// What is shown of a long list of failures.
constexpr std::size_t most_errors_shown = 10;
constexpr std::size_t most_positions_shown = 1'000;

/// Returns what became of the items; a failure if none was written.
ToolResult outcome_of(const WrittenItems& outcome) {
  if (outcome.written == 0 && !outcome.errors.empty()) {
    const auto& [position, error] = outcome.errors.front();
    return base::Failure{"nothing was written; item " + std::to_string(position) + ": " + error};
  }
  Json result{{"written", outcome.written}};
  if (outcome.not_processed.empty()) return result;
  const std::size_t left = outcome.not_processed.size();
  std::vector<std::size_t> positions = outcome.not_processed;
  positions.resize(std::min(left, most_positions_shown));
  result["not_processed"] = std::move(positions);
  result["note"] = "not processed: " + std::to_string(left) + " of " +
                   std::to_string(outcome.written + left) +
                   " items; not_processed has the positions, from 0" +
                   (left > most_positions_shown ? ", of the first of them" : "");
  for (const auto& [position, error] : outcome.errors) {
    if (result["errors"].size() == most_errors_shown) break;
    result["errors"].push_back({{"position", position}, {"error", error}});
  }
  return result;
}

/// Writes items that are plain or typed.
ToolResult write_all(const ToolCall& call, std::vector<Json> items) {
  if (items.empty()) return base::Failure{std::string("there are no items")};
  std::ranges::transform(items, items.begin(), [](const Json& item) { return typed_members(item); });
  return outcome_of(write_items(call, items));
}

ToolResult put_items(const ToolCall& call) {
  return write_all(call, call.any("items").get<std::vector<Json>>());
}

ToolResult import_items(const ToolCall& call) {
  if (call.any("items").is_null() == call.any("file").is_null())
    return base::Failure{std::string("give either 'items' or 'file'")};
  if (call.any("file").is_null()) {
    std::vector<Json> items;
    for (const Json& element : call.any("items")) items.push_back(unwrapped_item(element));
    return write_all(call, std::move(items));
  }
  DINETTE_TRY(const std::string text, read_file_in(call.import_folder, call.text("file")));
  auto items = items_in_text(text);
  if (!items) return base::Failure{"'" + call.text("file") + "': " + items.error()};
  return write_all(call, *std::move(items));
}

}  // namespace

std::span<const ToolFunction> import_tools() {
  static constexpr ToolFunction functions[] = {
      {"put_items", put_items},
      {"import_items", import_items},
  };
  return functions;
}

}  // namespace dinette::mcp
