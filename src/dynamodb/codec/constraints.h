#pragma once

#include <optional>
#include <string>

#include "dinette/spec/shape.h"

#include "dynamodb/codec/decoder.h"

namespace dinette::dynamodb::codec {

/// Checks the request `json` (an object whose types are right already) against the lengths, ranges, patterns,
/// enumerations and required members of `operation`, and returns the whole ValidationException message,
/// envelope included, or nothing. Violations are collected in the operation's order; some are reported alone
/// (docs/service/names-limits.md sections 3 to 6). `generation` chooses the wording.
std::optional<std::string> check_constraints(const spec::Operation& operation, JsonObject json,
                                             model::Generation generation);

}  // namespace dinette::dynamodb::codec
