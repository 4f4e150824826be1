#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/store/row.h"

#include "dynamodb/codec/inputs.h"

namespace dinette::dynamodb {

/// A place in a shard, as a client carries it from one GetRecords to the next: `<ARN>|1|<base64>`
/// (docs/service/streams.md section 4).
struct ShardIterator {
  std::string stream_arn;
  store::StreamId shard{};
  store::StreamPosition position;  ///< of the next record
  codec::Timestamp issued;

  std::string text() const;
  /// Returns nothing for a text that text() has not made.
  static std::optional<ShardIterator> parse(std::string_view text);
};

}  // namespace dinette::dynamodb
