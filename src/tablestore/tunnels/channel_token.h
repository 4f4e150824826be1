#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"

#include "tablestore/streams/shard_iterator.h"

namespace dinette::tablestore {

/// No token of a channel has as many characters: the largest are of a key of 4 KB, with its names. What
/// clients keep as their checkpoint cannot be larger.
inline constexpr std::size_t longest_token = 16 * 1024;

/// Where reading of a channel goes on (tablestore/tunnel.md section 1). Clients look into it: one with an
/// iterator is of a stream, and one word says that the end is reached.
struct ChannelToken {
  bool finished = false;
  std::string next_row = {};                ///< of base data: its key, PlainBuffer; empty: from the first row
  std::optional<ShardIterator> iterator{};  ///< of a stream
  std::int64_t count = 0;                   ///< the records that were read before

  /// Returns the time before which all records of a stream have been read; the epoch for base data.
  base::TimePoint read_until() const;

  std::string encode() const;
  /// Returns nothing for what is none.
  static std::optional<ChannelToken> decode(std::string_view text);
};

/// Times of tunnels are nanoseconds since 1970.
std::int64_t to_nanoseconds(base::TimePoint time);
base::TimePoint from_nanoseconds(std::int64_t nanoseconds);

}  // namespace dinette::tablestore
