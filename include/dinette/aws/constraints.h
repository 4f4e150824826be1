#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dinette/aws/generation.h"
#include "dinette/aws/json.h"
#include "dinette/aws/shape.h"

namespace dinette::aws {

/// Checks the request `json`, an object of the right JSON types, against the lengths, ranges, patterns,
/// enumerations and required members of `operation`. Returns the whole message of the ValidationException,
/// envelope included, or nothing. Violations are collected in the operation's order; some are reported
/// without the others (docs/service/names-limits.md sections 3 to 6). `generation` chooses the wording. A
/// message stops growing at about `longest` bytes.
std::optional<std::string> check_constraints(const Operation& operation, JsonObject json,
                                             Generation generation, std::size_t longest);

}  // namespace dinette::aws
