#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/iam/evaluate.h"

namespace dinette::iam {

/// A text of a policy in which wildcards differ from the same characters as text: `any` and `one` are the
/// symbols of "*" and "?", all others are bytes.
using Symbols = std::u16string;
using SymbolView = std::u16string_view;

inline constexpr char16_t any_symbol = 0x100;
inline constexpr char16_t one_symbol = 0x101;

/// Reads a text. With a context, replaces its variables: ${aws:username}, ${aws:username, 'guest'} with a
/// default, and ${*}, ${?}, ${$}, which are those characters as text. Returns nothing if the request has no
/// value for a variable, or more than one.
std::optional<Symbols> expand(std::string_view text, const RequestContext* context);

/// Returns the text of symbols, where wildcards are characters.
std::string plain_text(SymbolView symbols);

bool matches(SymbolView pattern, std::string_view text);
/// Compares without regard to case, as names of actions are compared.
bool matches_ignoring_case(SymbolView pattern, std::string_view text);
/// Compares part by part: no wildcard reaches beyond its colon, except in the last of the six parts. Parts
/// that the pattern has not match everything, as does "*" alone.
bool matches_arn(SymbolView pattern, std::string_view arn);

}  // namespace dinette::iam
