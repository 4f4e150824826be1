#include "dynamodb/reads/read_target.h"

#include <algorithm>

#include "dynamodb/indexes/index_key.h"
#include "dynamodb/items/item_key.h"

namespace dinette::dynamodb {
namespace {

expr::KeyPart part_of(const KeyAttribute& attribute) {
  return {attribute.name, attribute.type, attribute.hash};
}

std::vector<expr::KeyPart> table_key(const TableSchema& schema) {
  std::vector<expr::KeyPart> key = {part_of(schema.hash_key())};
  if (schema.range_key()) key.push_back(part_of(*schema.range_key()));
  return key;
}

std::vector<expr::KeyPart> index_key(const IndexSchema& index) {
  std::vector<expr::KeyPart> key;
  for (const KeyAttribute& attribute : index.keys) key.push_back(part_of(attribute));
  return key;
}

}  // namespace

ReadTarget::ReadTarget(const TableSchema& schema, const IndexSchema* index)
    : schema_(schema),
      index_(index),
      key_(index ? index_key(*index) : table_key(schema)),
      position_(table_key(schema)) {
  position_.insert(position_.end(), key_.begin(), key_.end());
  std::ranges::sort(position_, {}, &expr::KeyPart::attribute);
  const auto same_attribute = [](const auto& a, const auto& b) { return a.attribute == b.attribute; };
  position_.erase(std::unique(position_.begin(), position_.end(), same_attribute), position_.end());
}

store::Area ReadTarget::area() const {
  return index_ ? store::Area::of_index(index_->id) : store::Area::rows();
}

bool ReadTarget::is_key(std::string_view attribute) const {
  return std::ranges::find(key_, attribute, &expr::KeyPart::attribute) != key_.end();
}

std::string ReadTarget::encode_position(const model::Item& position) const {
  return index_ ? EntryKeys(schema_).of(*index_, position) : encode_key(schema_, position);
}

std::string ReadTarget::encode_partition(std::span<const model::AttributeValue* const> hash) const {
  return index_ ? encode_index_partition(*index_, hash) : dynamodb::encode_partition(*hash.front());
}

}  // namespace dinette::dynamodb
