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

/// Of the item of a record that make_record made the attributes named, which must be in ascending order:
/// whatever else there is costs next to nothing.
model::Item read_attributes(std::string_view record, std::span<const std::string_view> names);
model::Item read_attributes(std::string_view record, std::span<const std::string> names);

/// The record of such an item with `attributes` in place of those named, in ascending order, whether it has
/// them or not; no other of its attributes may be among `attributes`. The others are copied as they are.
/// `size_in_bytes` is the new item's.
kv::Value replace_attributes(std::string_view record, std::span<const std::string_view> names,
                             const model::Item& attributes, std::size_t size_in_bytes);

}  // namespace dinette::dynamodb::codec
