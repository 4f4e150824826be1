#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/store/row.h"

namespace dinette::dynamodb {

/// Orders the records of a stream, and where its shards begin and end (docs/service/streams.md section 3). As
/// text a counter of one or more digits, and 20 digits. Here the counter is the number of the record's
/// commit; between the records of a commit there is room for the beginnings of shards.
struct SequenceNumber {
  std::uint64_t counter = 1;
  std::uint64_t rest = 0;  ///< as 20 digits

  friend auto operator<=>(const SequenceNumber&, const SequenceNumber&) = default;

  static SequenceNumber of(store::StreamPosition position);
  /// Returns nothing for what is not 21 to 40 digits.
  static std::optional<SequenceNumber> parse(std::string_view text);

  std::string text() const;
  /// Returns a number that is greater than this one, and less than that of every record to come.
  SequenceNumber next() const { return {counter, rest + 1}; }

  /// Returns where the first record is whose number is not less than this one.
  store::StreamPosition at() const;
  /// Returns where the first record is whose number is greater than this one.
  store::StreamPosition after() const;
};

}  // namespace dinette::dynamodb
