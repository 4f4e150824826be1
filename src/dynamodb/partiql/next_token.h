#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dynamodb/partiql/bound.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb::partiql {

/// Where the next page of a statement begins: in which of its key reads, and after which of the store's keys
/// there, empty for the beginning.
struct PagePosition {
  std::size_t read = 0;
  std::string after;
};

/// Returns a NextToken, bound to the statement and its parameters: their text, `text`, must be the same for
/// the next page.
std::string next_token(const PagePosition& position, const std::string& text, const Parameters& parameters);

/// Returns what the token says. Refuses one that is not ours, or that belongs to another statement.
Answer<PagePosition> read_token(const std::string& token, const std::string& text,
                                const Parameters& parameters);

}  // namespace dinette::dynamodb::partiql
