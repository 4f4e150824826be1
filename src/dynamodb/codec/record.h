#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "dinette/kv/value.h"

#include "dynamodb/model/attribute_value.h"

/// How an item is kept: its size as the service counts it, four bytes little-endian, then its canonical wire
/// text (item_text.h). A read of the whole item is a copy of that text.
namespace dinette::dynamodb::codec {

kv::Value make_record(const model::Item& item, std::size_t size_in_bytes);

/// Both views are into `record`.
std::size_t record_size(std::string_view record);
std::string_view record_text(std::string_view record);

/// The item of a record that make_record made.
model::Item read_record(std::string_view record);

/// Of that item only the attributes named, which must be in ascending order: whatever else there is costs
/// next to nothing.
model::Item read_attributes(std::string_view record, std::span<const std::string_view> names);
model::Item read_attributes(std::string_view record, std::span<const std::string> names);

}  // namespace dinette::dynamodb::codec
