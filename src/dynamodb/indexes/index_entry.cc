#include "dynamodb/indexes/index_entry.h"

#include <algorithm>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dynamodb/codec/record.h"
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

std::size_t projected_size(const TableSchema& schema, const IndexSchema& index, const Item& item) {
  std::size_t size = 0;
  for (const model::Attribute& attribute : item) {
    if (schema.projects(index, attribute.name))
      size += attribute.name.size() + model::size_in_bytes(attribute.value);
  }
  return size;
}

/// The texts of what is projected. However much that is, it is copied at most, and never read.
codec::AttributeTextViews projected_texts(const TableSchema& schema, const IndexSchema& index,
                                          const ItemImage& image) {
  boost::container::small_vector<std::string_view, 16> names;
  for (const model::Attribute& attribute : *image.item) {
    if (schema.projects(index, attribute.name)) names.push_back(attribute.name);
  }
  return codec::attribute_texts(image.record.view(), {names.data(), names.size()});
}

}  // namespace

std::optional<IndexEntry> index_entry(const TableSchema& schema, const IndexSchema& index,
                                      const ItemImage& image, EntryKeys& keys) {
  if (!image.exists() || !is_member(index, *image.item)) return std::nullopt;
  return IndexEntry{keys.of(index, *image.item),
                    index.projects_all() ? image.size() : projected_size(schema, index, *image.item)};
}

kv::Value entry_record(const TableSchema& schema, const IndexSchema& index, const ItemImage& image,
                       const IndexEntry& entry) {
  if (index.projects_all()) return image.record;
  const codec::AttributeTextViews texts = projected_texts(schema, index, image);
  return codec::join_record(entry.size, {texts.data(), texts.size()});
}

bool same_entry_records(const TableSchema& schema, const IndexSchema& index, const ItemImage& a,
                        const ItemImage& b) {
  if (index.projects_all()) return a.record.view() == b.record.view();
  return projected_texts(schema, index, a) == projected_texts(schema, index, b);
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
