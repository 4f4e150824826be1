#pragma once

#include <string>

#include "dinette/spec/shape.h"

#include "dynamodb/codec/decoder.h"

namespace dinette::dynamodb::codec {

/// A value the way the service's messages repeat it: scalars as text, lists as `[a, b]`, structures as
/// `KeySchemaElement(attributeName=pk, keyType=HASH)` (facts: names-limits.md section 7).
void append_echo(std::string& out, const spec::Shape& shape, JsonElement json);

}  // namespace dinette::dynamodb::codec
