#pragma once

#include <string>
#include <string_view>

#include "tablestore/model/value.h"
#include "tablestore/request/api_error.h"

/// A value alone, as filters, split points and cells have it: its type, and its payload
/// (tablestore/plainbuffer.md sections 3 and 6).
namespace dinette::tablestore::plainbuffer {

/// Reads a value that takes all of `bytes`, of which it is a view. Does not look whether a text is UTF-8.
Answer<Value> decode_variant(std::string_view bytes);

void append_variant(std::string& out, const Value& value);

/// Returns how many bytes a value takes.
std::size_t variant_size(const Value& value);
/// Writes that many.
void store_variant(char* at, const Value& value);

}  // namespace dinette::tablestore::plainbuffer
