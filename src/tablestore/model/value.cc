#include "tablestore/model/value.h"

#include <cstddef>

namespace dinette::tablestore {

std::string_view name_of(ValueType type) {
  switch (type) {
    case ValueType::integer:
      return "VT_INTEGER";
    case ValueType::real:
      return "VT_DOUBLE";
    case ValueType::boolean:
      return "VT_BOOLEAN";
    case ValueType::string:
      return "VT_STRING";
    case ValueType::null:
      return "VT_NULL";
    case ValueType::binary:
      return "VT_BLOB";
    case ValueType::inf_min:
      return "VT_INF_MIN";
    case ValueType::inf_max:
      return "VT_INF_MAX";
    case ValueType::auto_increment:
      return "VT_AUTO_INCREMENT";
  }
  return "VT_NULL";
}

bool operator==(const Value& a, const Value& b) {
  if (a.type_ != b.type_) return false;
  if (a.has_bytes()) return a.bytes_ == b.bytes_;
  return a.type_ == ValueType::real ? a.number_.real == b.number_.real
                                    : a.number_.integer == b.number_.integer;
}

std::partial_ordering compare(const Value& a, const Value& b) {
  if (a.type() != b.type()) return std::partial_ordering::unordered;
  if (a.has_bytes()) return a.bytes() <=> b.bytes();
  if (a.type() == ValueType::real) return a.as_real() <=> b.as_real();
  return a.as_integer() <=> b.as_integer();
}

std::size_t size_of(const Value& value) {
  constexpr std::size_t number_size = 8;
  if (value.is_number()) return number_size;
  return value.type() == ValueType::boolean ? 1 : value.bytes().size();
}

}  // namespace dinette::tablestore
