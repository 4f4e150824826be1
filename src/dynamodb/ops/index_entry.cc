#include "dynamodb/ops/index_entry.h"

#include <algorithm>
#include <vector>

#include "dynamodb/codec/record.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/ops/index_key.h"

namespace dinette::dynamodb::ops {
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

kv::Value projected_record(const TableSchema& schema, const IndexSchema& index, const Item& item) {
  std::vector<model::Attribute> kept;
  for (const model::Attribute& attribute : item) {
    if (schema.projects(index, attribute.name)) kept.push_back(attribute);
  }
  const Item projected = Item::from_unsorted(std::move(kept));
  return codec::make_record(projected, model::size_in_bytes(projected));
}

}  // namespace

std::size_t ItemImage::size() const {
  return exists() ? codec::record_size(record.view()) : 0;
}

std::size_t IndexEntry::size() const {
  return codec::record_size(record.view());
}

std::optional<IndexEntry> index_entry(const TableSchema& schema, const IndexSchema& index,
                                      const ItemImage& image) {
  if (!image.exists() || !is_member(index, *image.item)) return std::nullopt;
  return IndexEntry{encode_index_key(schema, index, *image.item),
                    index.projects_all() ? image.record : projected_record(schema, index, *image.item)};
}

std::size_t size_with_local_entries(const TableSchema& schema, const Item& item, std::size_t size) {
  std::size_t total = size;
  for (const IndexSchema& index : schema.indexes()) {
    if (index.local && is_member(index, item))
      total += index.projects_all() ? size : projected_size(schema, index, item);
  }
  return total;
}

}  // namespace dinette::dynamodb::ops
