#include "dynamodb/ops/index_key.h"

#include <boost/container/small_vector.hpp>

#include "dinette/base/sha256.h"
#include "dinette/store/placement.h"

#include "dynamodb/ops/item_key.h"

namespace dinette::dynamodb::ops {
namespace {

using model::AttributeValue;
using Values = boost::container::small_vector<const AttributeValue*, 4>;

/// A tuple that only has to be told from others. Long ones are kept as a digest: all of a global index's
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

void append_row_key(std::string& out, const TableSchema& schema, const model::Item& item) {
  std::string row;
  append_key_component(row, *item.find(schema.hash_key().name));
  if (schema.range_key()) append_key_component(row, *item.find(schema.range_key()->name));
  append_bounded(out, row);
}

}  // namespace

std::string encode_index_partition(const IndexSchema& index, std::span<const AttributeValue* const> hash) {
  if (index.local) return encode_partition(*hash.front());
  std::string tuple;
  for (const AttributeValue* value : hash) append_key_component(tuple, *value);
  std::string key;
  store::start_key(key, store::Placement::hashed);
  append_bounded(key, tuple);
  store::finish_partition(key, store::Placement::hashed);
  return key;
}

std::string encode_index_key(const TableSchema& schema, const IndexSchema& index, const model::Item& item) {
  Values hash;
  for (const KeyAttribute& part : index.keys) {
    if (part.hash) hash.push_back(item.find(part.name));
  }
  std::string key = encode_index_partition(index, hash);
  for (const KeyAttribute& part : index.keys) {
    if (!part.hash) append_key_component(key, *item.find(part.name));
  }
  if (index.local)
    append_key_component(key, *item.find(schema.range_key()->name));
  else
    append_row_key(key, schema, item);
  return key;
}

}  // namespace dinette::dynamodb::ops
