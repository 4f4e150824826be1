#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "mcp/json.h"

namespace dinette::mcp {

/// How long the text of a tool's answer becomes, about: language models pay for each byte.
inline constexpr std::size_t most_result_bytes = 40'000;
/// How much of it one item gets.
inline constexpr std::size_t most_item_bytes = 20'000;

/// Where a page of results begins: so many results behind what the service calls the start.
struct PageStart {
  Json service = nullptr;  ///< start key or token of the service; null: the beginning
  std::size_t skipped = 0;

  /// Returns the text that a caller hands back.
  std::string token() const;
};

/// Reads a token; an empty text is the beginning. The error is a sentence.
base::Result<PageStart, std::string> read_page_start(const std::string& token);

struct ResultPage {
  Json results = Json::array();
  std::optional<PageStart> next;
};

/// Returns of `results`, which the service returned for `start`, those that come after the skipped ones and
/// fit in an answer, at least one. `next`: what the service says about where its next page begins; null:
/// there is none.
ResultPage cut_page(const PageStart& start, Json results, const Json& next);

/// Returns an object in which of the list `name` only one page is left: the one that begins at a token. If
/// another follows, it has a member next_page. An object without the list stays as it is.
base::Result<Json, std::string> list_page(const std::string& token, Json object, const char* name);

/// Returns an item in plain JSON. One that is too long becomes an object that says so, and how its attributes
/// begin.
Json shown_item(const Json& item);

}  // namespace dinette::mcp
