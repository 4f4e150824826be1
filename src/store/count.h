#pragma once

#include <optional>
#include <string_view>

#include "dinette/kv/engine.h"
#include "dinette/store/row.h"

namespace dinette::store {

/// Decodes the counters of a table or an index as an engine returns them.
inline kv::Result<Count> decode_count(const kv::Result<std::optional<kv::Value>>& counters) {
  DINETTE_CHECK(counters);
  if (!counters->has_value()) return Count{};
  const std::string_view bytes = counters.value()->view();
  return Count{.rows = kv::read_counter(bytes, 0), .bytes = kv::read_counter(bytes, 1)};
}

}  // namespace dinette::store
