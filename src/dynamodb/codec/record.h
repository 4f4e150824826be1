#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dinette/kv/value.h"

#include "dynamodb/codec/record_layout.h"
#include "dynamodb/model/attribute_value.h"
#include "dynamodb/model/work.h"

/// Records made of typed attributes, and typed attributes read from records.
namespace dinette::dynamodb::codec {

kv::Value make_record(const model::Item& item, std::size_t size_in_bytes);

/// The attributes named, which must be in ascending order, as far as the record's item has them. Charges
/// `work` with what had to be read.
model::Item read_attributes(std::string_view record, std::span<const std::string_view> names,
                            model::Work& work);
model::Item read_attributes(std::string_view record, std::span<const std::string> names, model::Work& work);
/// The same where it is done once a request.
template <class Names>
model::Item read_attributes(std::string_view record, const Names& names) {
  model::Work uncounted;
  return read_attributes(record, std::span(names), uncounted);
}

/// Attributes as they stand in a record, `"name":{"S":"value"}`.
using AttributeTextViews = boost::container::small_vector<std::string_view, 16>;

/// The texts of the attributes named, in ascending order, as far as the record's item has them. They are
/// views into the record.
AttributeTextViews attribute_texts(std::string_view record, std::span<const std::string_view> names);

/// Copies `record`, with the attributes in `names` (ascending) replaced by those of `item`, or removed where
/// `item` has none. `size_in_bytes` is the size of the new item.
kv::Value replace_attributes(std::string_view record, std::span<const std::string_view> names,
                             const model::Item& item, std::size_t size_in_bytes);

}  // namespace dinette::dynamodb::codec
