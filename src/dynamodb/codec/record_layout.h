#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dinette/kv/value.h"

/// How an item is kept (FORMAT.md): what it weighs, where in its text each attribute ends, and the text,
/// which is the item's canonical wire text (item_text.h). A read of the whole item is a copy of that text,
/// and what an attribute costs that nobody asks for is a look at its name and its end.
///
/// Of what is no record nothing outside of it is read; where its numbers do not fit, std::runtime_error is
/// thrown. Views that are returned are into `record`.
namespace dinette::dynamodb::codec {

/// An item's size as the service counts it.
std::size_t record_size(std::string_view record);
std::string_view record_text(std::string_view record);

/// The ends of the attributes within the text, for take_end.
std::string_view record_ends(std::string_view record);
/// Takes the first of `ends`, of which there must be one.
std::size_t take_end(std::string_view& ends);

/// The record of the item that has these attributes, `"name":{"S":"value"}`, in ascending order of names.
kv::Value join_record(std::size_t size_in_bytes, std::span<const std::string_view> attributes);

/// For a record that join_record did not make.
[[noreturn]] void throw_unreadable();

}  // namespace dinette::dynamodb::codec
