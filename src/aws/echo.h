#pragma once

#include <cstddef>
#include <string>

#include "dinette/aws/generation.h"
#include "dinette/aws/json.h"
#include "dinette/aws/shape.h"

namespace dinette::aws {

/// Appends a value the way messages repeat it: scalars as text, lists as `[a, b]`, structures as
/// `KeySchemaElement(attributeName=pk, keyType=HASH)`; maps and variants by the current generation as compact
/// JSON, by the older one as `{a=b}` (docs/service/names-limits.md section 7). Stops at about `longest`
/// bytes.
void append_echo(std::string& out, const Shape& shape, JsonElement json, Generation generation,
                 std::size_t longest);

}  // namespace dinette::aws
