#pragma once

#include <cstdint>
#include <string>

#include "dinette/kv/value.h"

namespace dinette::store {

/// Names a set of entries that belong to no table, such as idempotency tokens and streams; chosen by the
/// face. Kept on disk: never renumber.
enum class SpaceId : std::uint32_t {};

/// An entry that belongs to no table, to be written along with a change of a table.
struct EntryWrite {
  SpaceId space{};
  std::string key;
  kv::Value value;  ///< null erases the entry
};

}  // namespace dinette::store
