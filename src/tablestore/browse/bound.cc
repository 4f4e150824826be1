#include "tablestore/browse/bound.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "dinette/base/base64.h"

#include "tablestore/plainbuffer/row_writer.h"

namespace dinette::tablestore::browse {
namespace {

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

base::Failure<ApiError> no_value_of(const KeyColumnMeta& column, std::string_view form) {
  return parameter_invalid("The value of '" + column.name + "' must be " + std::string(form) + ".");
}

}  // namespace

Answer<Bound> Bound::read(std::span<const std::string> texts, std::span<const KeyColumnMeta> key,
                          Value rest) {
  if (texts.size() > key.size())
    return parameter_invalid("The key has " + std::to_string(key.size()) + " columns, fewer than values.");
  Bound bound;
  for (std::size_t i = 0; i < key.size(); ++i) {
    Value value = rest;
    if (i < texts.size()) {
      DINETTE_TRY(value, bound.value_of(key[i], texts[i]));
    }
    bound.columns_.push_back({key[i].name, value});
  }
  return bound;
}

Answer<Value> Bound::value_of(const KeyColumnMeta& column, const std::string& text) {
  switch (column.type) {
    case ValueType::integer: {
      const auto number = integer_of(text);
      if (!number) return no_value_of(column, "an integer of 64 bits");
      return Value::integer(*number);
    }
    case ValueType::binary: {
      auto bytes = base::base64_decode(text);
      if (!bytes) return no_value_of(column, "in base64");
      return Value::binary(bytes_.emplace_back(*std::move(bytes)));
    }
    default:
      return Value::string(bytes_.emplace_back(text));
  }
}

std::string Bound::encode() const {
  return plainbuffer::encode_key(columns_);
}

}  // namespace dinette::tablestore::browse
