#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "dynamodb/partiql/parse/syntax.h"

namespace dinette::dynamodb::partiql {

/// A value, or the sentence of the ValidationException, without envelope, that says why there is none.
template <class T>
using Checked = base::Result<T, std::string>;

/// The prefix of messages about what the grammar refuses; the whole message about an invalid token.
inline constexpr std::string_view not_well_formed = "Statement wasn't well formed, can't be processed: ";

/// Reads a statement by its grammar (docs/service/partiql.md section 1). What a statement means, and whether
/// it may be run, is for later: much that parses is refused. Nests at most limits::statement_levels deep.
Checked<Tree> parse(std::string_view statement);

}  // namespace dinette::dynamodb::partiql
