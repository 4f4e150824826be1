#include "tablestore/rows/row_key.h"

#include <optional>
#include <utility>

#include "dinette/base/utf8.h"
#include "dinette/store/key_codec.h"

namespace dinette::tablestore {

void append_key_value(std::string& out, const Value& value) {
  if (value.type() == ValueType::integer)
    store::append_int64(out, value.as_integer());
  else
    store::append_bytes(out, value.bytes());
}

std::string encode_key(const PrimaryKey& key) {
  std::string encoded;
  for (const KeyColumn& column : key) append_key_value(encoded, column.value);
  return encoded;
}

std::string encode_partition(const Value& partition_key) {
  std::string encoded;
  append_key_value(encoded, partition_key);
  return encoded;
}

std::string text_of(const Value& partition_key) {
  if (partition_key.type() == ValueType::integer) return std::to_string(partition_key.as_integer());
  return base::valid_utf8(partition_key.bytes());
}

bool DecodedKey::read(std::string_view encoded, std::span<const KeyColumnMeta> columns) {
  key_.clear();
  store::TupleReader reader(encoded);
  for (std::size_t i = 0; i < columns.size() && i < texts_.size(); ++i) {
    const KeyColumnMeta& column = columns[i];
    if (column.type == ValueType::integer) {
      const auto number = reader.read_int64();
      if (!number) return false;
      key_.push_back({column.name, Value::integer(*number)});
      continue;
    }
    auto bytes = reader.read_bytes();
    if (!bytes) return false;
    texts_[i] = *std::move(bytes);
    const bool is_string = column.type == ValueType::string;
    key_.push_back({column.name, is_string ? Value::string(texts_[i]) : Value::binary(texts_[i])});
  }
  size_ = encoded.size() - reader.rest().size();
  return true;
}

std::size_t size_of(const PrimaryKey& key) {
  std::size_t size = 0;
  for (const KeyColumn& column : key) size += column.name.size() + size_of(column.value);
  return size;
}

}  // namespace dinette::tablestore
