#include "dynamodb/indexes/index_entry.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dynamodb/codec/attribute_cursor.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/model/float_vector.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb {
namespace {

using model::Item;

bool is_member(const IndexSchema& index, const Item& item) {
  return std::ranges::all_of(index.keys, [&](const KeyAttribute& key) {
    const model::AttributeValue* value = item.find(key.name);
    const auto role = key.hash ? model::KeyRole::partition : model::KeyRole::sort;
    return value && value->type() == key.type && model::check_key_value(key.name, *value, role).ok();
  });
}

bool is_vector_of(const IndexSchema& index, std::string_view attribute) {
  return index.vector && attribute == index.vector->attribute;
}

std::size_t size_of_floats(const VectorSchema& vector) {
  return vector.dimensions * sizeof(float);
}

std::size_t projected_size(const TableSchema& schema, const IndexSchema& index, const Item& item) {
  std::size_t size = 0;
  for (const model::Attribute& attribute : item) {
    if (!schema.projects(index, attribute.name)) continue;
    size +=
        attribute.name.size() + (is_vector_of(index, attribute.name) ? size_of_floats(*index.vector)
                                                                     : model::size_in_bytes(attribute.value));
  }
  return size;
}

std::size_t entry_size(const TableSchema& schema, const IndexSchema& index, const ItemImage& image) {
  if (!index.projects_all()) return projected_size(schema, index, *image.item);
  if (!index.vector) return image.size();
  const std::size_t as_list = model::size_in_bytes(*image.item->find(index.vector->attribute));
  return image.size() - as_list + size_of_floats(*index.vector);
}

/// The texts of all attributes but one.
codec::AttributeTextViews texts_without(std::string_view name, std::string_view record) {
  codec::AttributeTextViews texts;
  for (codec::AttributeCursor attribute(record); attribute.next();) {
    if (attribute.name() != name) texts.push_back(attribute.text());
  }
  return texts;
}

/// The texts of what is projected. However much that is, it is copied at most, and never read.
codec::AttributeTextViews projected_texts(const TableSchema& schema, const IndexSchema& index,
                                          const ItemImage& image) {
  if (index.vector && index.projects_all())
    return texts_without(index.vector->attribute, image.record.view());
  boost::container::small_vector<std::string_view, 16> names;
  for (const model::Attribute& attribute : *image.item) {
    if (schema.projects(index, attribute.name) && !is_vector_of(index, attribute.name))
      names.push_back(attribute.name);
  }
  return codec::attribute_texts(image.record.view(), {names.data(), names.size()});
}

}  // namespace

std::optional<IndexEntry> index_entry(const TableSchema& schema, const IndexSchema& index,
                                      const ItemImage& image, EntryKeys& keys) {
  if (!image.exists() || !is_member(index, *image.item)) return std::nullopt;
  std::string vector;
  if (index.vector) {
    const model::AttributeValue* const value = image.item->find(index.vector->attribute);
    auto floats = value ? model::encode_floats(*value, index.vector->dimensions) : std::nullopt;
    if (!floats) return std::nullopt;
    vector = *std::move(floats);
  }
  return IndexEntry{keys.of(index, *image.item), entry_size(schema, index, image), std::move(vector)};
}

kv::Value entry_record(const TableSchema& schema, const IndexSchema& index, const ItemImage& image,
                       const IndexEntry& entry) {
  if (index.shares_records()) return image.record;
  const codec::AttributeTextViews texts = projected_texts(schema, index, image);
  kv::Value record = codec::join_record(entry.size, {texts.data(), texts.size()});
  return index.vector ? kv::Value::join({entry.vector, record.view()}) : record;
}

bool same_entry_records(const TableSchema& schema, const IndexSchema& index, const ItemImage& a,
                        const ItemImage& b) {
  if (index.shares_records()) return a.record.view() == b.record.view();
  return projected_texts(schema, index, a) == projected_texts(schema, index, b);
}

std::size_t written_size(const TableSchema& schema, const ItemImage& image) {
  std::size_t size = image.size();
  if (!image.exists() || !schema.has_vector_indexes()) return size;
  std::vector<std::string_view> seen;  // several indexes may have one attribute
  for (const IndexSchema& index : schema.indexes()) {
    if (!index.vector || std::ranges::find(seen, index.vector->attribute) != seen.end()) continue;
    const model::AttributeValue* const value = image.item->find(index.vector->attribute);
    if (!value || !model::is_float_vector(*value, index.vector->dimensions)) continue;
    seen.push_back(index.vector->attribute);
    size = size - model::size_in_bytes(*value) + size_of_floats(*index.vector);
  }
  return size;
}

std::size_t size_with_local_entries(const TableSchema& schema, const Item& item, std::size_t size) {
  std::size_t total = size;
  for (const IndexSchema& index : schema.indexes()) {
    if (index.local && is_member(index, item))
      total += index.projects_all() ? size : projected_size(schema, index, item);
  }
  return total;
}

}  // namespace dinette::dynamodb
