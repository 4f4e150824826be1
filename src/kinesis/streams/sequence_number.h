#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/store/row.h"

namespace dinette::kinesis {

/// A place in the order of a stream: that of a record, or, with `room` above zero, one between the records
/// around it, where shards begin and end.
struct StreamPlace {
  store::StreamPosition position;
  std::uint16_t room = 0;

  friend auto operator<=>(const StreamPlace&, const StreamPlace&) = default;

  /// Returns a place that is later than this one, and earlier than every record to come.
  StreamPlace next() const { return {position, static_cast<std::uint16_t>(room + 1)}; }
  /// Returns the position of the first record that is not earlier.
  store::StreamPosition at() const { return room == 0 ? position : position.next(); }
};

/// A place in a stream as clients see it: 56 digits, greater for later places of the same stream.
///
/// It is a number of 188 bits, most significant first: 4 bits 2; 36 bits the seconds since 1970 at which the
/// stream was created; 64 bits the number of the commit; 32 bits the index in the commit; 16 bits the room;
/// 32 bits the number of the shard; 4 bits 2.
struct SequenceNumber {
  std::int64_t created = 0;  ///< seconds since 1970; of a stream
  StreamPlace place;
  std::uint32_t shard = 0;

  /// Returns nothing for what text() has not made.
  static std::optional<SequenceNumber> parse(std::string_view text);
  std::string text() const;
};

}  // namespace dinette::kinesis
