#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/store/row.h"

namespace dinette::tablestore {

/// Where in a shard reading goes on. Opaque to clients, which keep it as long as they like.
struct ShardIterator {
  std::string stream_id = {};
  store::StreamPosition from =
      {};  ///< inclusive; the least of all: from the beginning, whatever that is then
  base::TimePoint read_until = {};  ///< older records have been read

  std::string encode() const;
  /// Returns nothing for what is none.
  static std::optional<ShardIterator> decode(std::string_view text);
};

}  // namespace dinette::tablestore
