#pragma once

#include <cstddef>
#include <string_view>

#include "cql/error.h"
#include "cql/grammar/ast.h"

namespace dinette::cql::grammar {

/// How deep literals, types, selectors and parentheses may nest.
inline constexpr int most_nested = 64;
inline constexpr std::size_t most_markers = 65'535;

/// Parses one statement, with or without a semicolon (docs/service-keyspaces/grammar.md). Errors are syntax
/// errors; what Cassandra's parser itself refuses with another class is returned with that class. Takes time
/// and memory linear in the text.
Answer<Statement> parse(std::string_view text);

}  // namespace dinette::cql::grammar
