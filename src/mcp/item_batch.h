#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "mcp/tool.h"

namespace dinette::mcp {

/// What became of a list of items. Positions count from 0, in ascending order.
struct WrittenItems {
  std::size_t written = 0;
  std::vector<std::size_t> not_processed;                   ///< positions of the others
  std::vector<std::pair<std::size_t, std::string>> errors;  ///< of some of these, the service's message
};

/// Writes items, each typed, to the table of a call, 25 per request. If a request is invalid, its items are
/// written one by one, to learn which are at fault. Any other failure ends the work. Items that the service
/// leaves unprocessed are not tried again.
WrittenItems write_items(const ToolCall& call, const std::vector<Json>& items);

}  // namespace dinette::mcp
