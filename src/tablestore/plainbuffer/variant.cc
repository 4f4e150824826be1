#include "tablestore/plainbuffer/variant.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/byte_reader.h"
#include "tablestore/plainbuffer/byte_writer.h"

namespace dinette::tablestore::plainbuffer {
namespace {

constexpr std::size_t number_size = 8;
constexpr std::size_t length_size = 4;

Answer<std::uint64_t> eight_bytes(ByteReader in) {
  const auto bits = in.number<std::uint64_t>();
  if (!bits || !in.at_end()) return refuse::invalid_data_format();
  return *bits;
}

Answer<bool> one_truth(std::string_view payload) {
  if (payload.size() != 1) return refuse::wrong_boolean_size(static_cast<std::int64_t>(payload.size()));
  return payload.front() != 0;
}

Answer<std::string_view> whole_text(ByteReader in) {
  const auto size = in.number<std::uint32_t>();
  if (!size) return refuse::invalid_data_format();
  if (in.rest().size() != *size) return refuse::wrong_string_format(*size);
  return in.rest();
}

/// Returns a value without a payload.
Answer<Value> bare(Value value, std::string_view payload) {
  if (!payload.empty()) return refuse::invalid_data_format();
  return value;
}

}  // namespace

Answer<Value> decode_variant(std::string_view bytes) {
  if (bytes.empty()) return refuse::invalid_data_format();
  const std::string_view payload = bytes.substr(1);
  switch (static_cast<ValueType>(bytes.front())) {
    case ValueType::integer: {
      DINETTE_TRY(const auto bits, eight_bytes(ByteReader(payload)));
      return Value::integer(static_cast<std::int64_t>(bits));
    }
    case ValueType::real: {
      DINETTE_TRY(const auto bits, eight_bytes(ByteReader(payload)));
      return Value::real(std::bit_cast<double>(bits));
    }
    case ValueType::boolean: {
      DINETTE_TRY(const bool truth, one_truth(payload));
      return Value::boolean(truth);
    }
    case ValueType::string: {
      DINETTE_TRY(const auto text, whole_text(ByteReader(payload)));
      return Value::string(text);
    }
    case ValueType::binary: {
      DINETTE_TRY(const auto text, whole_text(ByteReader(payload)));
      return Value::binary(text);
    }
    case ValueType::null:
      return bare(Value(), payload);
    case ValueType::inf_min:
      return bare(Value::inf_min(), payload);
    case ValueType::inf_max:
      return bare(Value::inf_max(), payload);
    case ValueType::auto_increment:
      return bare(Value::auto_increment(), payload);
  }
  return refuse::unknown_value_type();
}

void store_variant(char* at, const Value& value) {
  store_number(at++, static_cast<std::uint8_t>(value.type()));
  switch (value.type()) {
    case ValueType::integer:
      return store_number(at, value.as_integer());
    case ValueType::real:
      return store_number(at, std::bit_cast<std::uint64_t>(value.as_real()));
    case ValueType::boolean:
      return store_number(at, static_cast<std::uint8_t>(value.as_boolean()));
    case ValueType::string:
    case ValueType::binary: {
      const std::string_view bytes = value.bytes();
      store_number(at, static_cast<std::uint32_t>(bytes.size()));
      if (!bytes.empty()) std::memcpy(at + length_size, bytes.data(), bytes.size());
      return;
    }
    case ValueType::null:
    case ValueType::inf_min:
    case ValueType::inf_max:
    case ValueType::auto_increment:
      return;
  }
}

void append_variant(std::string& out, const Value& value) {
  const std::size_t begin = out.size();
  out.resize(begin + variant_size(value));
  store_variant(out.data() + begin, value);
}

std::size_t variant_size(const Value& value) {
  if (value.has_bytes()) return 1 + length_size + value.bytes().size();
  if (value.is_number()) return 1 + number_size;
  return value.type() == ValueType::boolean ? 2 : 1;
}

}  // namespace dinette::tablestore::plainbuffer
