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

/// Records made of typed attributes, and typed attributes read from records. Reading fails with
/// kv::ErrorKind::corrupt where what is read is not part of a record.
namespace dinette::dynamodb::codec {

kv::Value make_record(const model::Item& item, std::size_t size_in_bytes);

/// Returns those of the attributes in `names` (ascending) that the record's item has. Charges `work` with
/// what had to be read.
kv::Result<model::Item> read_attributes(std::string_view record, std::span<const std::string_view> names,
                                        model::Work& work);
kv::Result<model::Item> read_attributes(std::string_view record, std::span<const std::string> names,
                                        model::Work& work);
/// The same where a request does it once.
template <class Names>
kv::Result<model::Item> read_attributes(std::string_view record, const Names& names) {
  model::Work uncounted;
  return read_attributes(record, std::span(names), uncounted);
}

/// Attributes as they are in a record, `"name":{"S":"value"}`.
using AttributeTextViews = boost::container::small_vector<std::string_view, 16>;

/// Returns the text of each attribute in `names` (ascending) that the item has, as views of the record.
/// Requires an earlier read_attributes() of `names`.
AttributeTextViews attribute_texts(std::string_view record, std::span<const std::string_view> names);

/// Copies `record`, with the attributes in `names` (ascending) replaced by those of `item`, or removed where
/// `item` has none. `size_in_bytes` is the size of the new item.
kv::Result<kv::Value> replace_attributes(std::string_view record, std::span<const std::string_view> names,
                                         const model::Item& item, std::size_t size_in_bytes);

}  // namespace dinette::dynamodb::codec
