#pragma once

#include <string>

#include "dinette/spec/shape.h"

#include "dynamodb/codec/decoder.h"

namespace dinette::dynamodb::codec {

/// A value the way the service's messages repeat it: scalars as text, lists as `[a, b]`, structures as
/// `KeySchemaElement(attributeName=pk, keyType=HASH)`; maps in the current form as compact JSON, in the older
/// one as `{a=b}` (docs/service/names-limits.md section 7). An echo that would be longer than any request is
/// cut short.
void append_echo(std::string& out, const spec::Shape& shape, JsonElement json, model::Generation generation);

}  // namespace dinette::dynamodb::codec
