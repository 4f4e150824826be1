#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/value.h"

namespace dinette::store {

/// What a row was before a write changed or erased it, or put it where there was none. The versions of a row
/// are kept in the order of the commits, at the row's key and the kv::CommitPosition of the write
/// (FORMAT.md).
struct RowVersion {
  base::TimePoint moment;           ///< of the write, by the world's clock
  std::uint64_t table_version = 0;  ///< of the table when it was written
  kv::Value former;                 ///< null if there was no row
};

/// Copies the former value.
kv::Value encode_version(const RowVersion& version);

/// The header of a version, and the former value as a view into it.
struct RowVersionView {
  base::TimePoint moment;
  std::uint64_t table_version = 0;
  std::optional<std::string_view> former;
};
/// Returns nullopt if the bytes cannot be read.
std::optional<RowVersionView> decode_version(std::string_view bytes);

}  // namespace dinette::store
