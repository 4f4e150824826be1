#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dinette/base/bytes.h"
#include "dinette/kv/value.h"

namespace dinette::store {

/// A single number as a value: eight big-endian bytes.
inline constexpr std::size_t stamp_size = sizeof(std::uint64_t);

inline kv::Value make_stamp(std::uint64_t number) {
  return kv::Value::make(stamp_size, [number](char* bytes) { base::store_big_endian(bytes, number); });
}

/// Returns 0, which is never the version or id of a table, if `bytes` are too few.
inline std::uint64_t read_stamp(std::string_view bytes) {
  return bytes.size() < stamp_size ? 0 : base::load_big_endian<std::uint64_t>(bytes.data());
}

}  // namespace dinette::store
