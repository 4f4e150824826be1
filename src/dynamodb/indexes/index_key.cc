#include "dynamodb/indexes/index_key.h"

#include <algorithm>

#include <boost/container/small_vector.hpp>

#include "dinette/base/bytes.h"
#include "dinette/base/sha256.h"
#include "dinette/store/placement.h"

#include "dynamodb/items/item_key.h"
#include "dynamodb/items/partition_hash.h"

namespace dinette::dynamodb {
namespace {

using model::AttributeValue;
using Values = boost::container::small_vector<const AttributeValue*, 4>;

/// A tuple that only has to differ from others. Long ones are kept as a digest: all of a global index's
/// attributes, with those of the table, may be longer than the store takes for a key.
void append_bounded(std::string& out, std::string_view tuple) {
  constexpr std::size_t longest_kept = 255;
  if (tuple.size() <= longest_kept) {
    out += '\0';
    out += tuple;
    return;
  }
  out += '\1';
  for (const unsigned char byte : base::sha256(tuple)) out += static_cast<char>(byte);
}

bool same_key(const IndexSchema& index, const model::Item& a, const model::Item& b) {
  return std::ranges::all_of(
      index.keys, [&](const KeyAttribute& part) { return *a.find(part.name) == *b.find(part.name); });
}

}  // namespace

std::string encode_index_partition(const IndexSchema& index, std::span<const AttributeValue* const> hash) {
  if (index.local) return encode_partition(*hash.front());
  std::string tuple;
  for (const AttributeValue* value : hash) append_key_component(tuple, *value);
  std::string key;
  store::append_partition_hash(key, partition_hash(hash));
  append_bounded(key, tuple);
  return key;
}

const std::string& EntryKeys::of(const IndexSchema& index, const model::Item& item) {
  if (index_ == &index && same_key(index, *item_, item)) return key_;
  Values hash;
  for (const KeyAttribute& part : index.keys) {
    if (part.hash) hash.push_back(item.find(part.name));
  }
  key_ = encode_index_partition(index, hash);
  for (const KeyAttribute& part : index.keys) {
    if (!part.hash) append_key_component(key_, *item.find(part.name));
  }
  if (index.local)
    append_key_component(key_, *item.find(schema_.range_key()->name));
  else
    key_ += table_key(item);
  index_ = &index;
  item_ = &item;
  return key_;
}

/// Returns the part of the key that distinguishes entries with equal index keys: a hash of their table key,
/// which orders them, and that key.
const std::string& EntryKeys::table_key(const model::Item& item) {
  if (!table_key_.empty()) return table_key_;
  Values values = {item.find(schema_.hash_key().name)};
  if (schema_.range_key()) values.push_back(item.find(schema_.range_key()->name));
  std::string row;
  for (const AttributeValue* value : values) append_key_component(row, *value);
  base::append_big_endian(table_key_, partition_hash(values));
  append_bounded(table_key_, row);
  return table_key_;
}

}  // namespace dinette::dynamodb
