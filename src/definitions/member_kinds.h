#pragma once

#include <optional>
#include <string_view>

namespace dinette::definitions {

/// The JSON type of a member of an operation's input.
enum class MemberKind { text, integer, boolean, list, map };

/// Returns the type of the member of that name. It is the same in every structure, which a test compares with
/// `api-specs/`. Nothing: no member has that name.
std::optional<MemberKind> member_kind(std::string_view name);

}  // namespace dinette::definitions
