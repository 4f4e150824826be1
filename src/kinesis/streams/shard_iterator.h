#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/aws/json_types.h"
#include "dinette/store/catalog.h"
#include "dinette/store/row.h"

namespace dinette::kinesis {

/// A place in a shard, as a client carries it from one GetRecords to the next.
struct ShardIterator {
  std::string stream;              ///< its name
  store::TableId table = 0;        ///< of the stream: a later one of the same name has another
  std::int64_t shard = 0;          ///< its number
  store::StreamPosition position;  ///< of the next record
  aws::Timestamp not_before;       ///< records that arrived earlier are left out
  aws::Timestamp issued;

  std::string text() const;
  /// Returns nothing for a text that text() has not made.
  static std::optional<ShardIterator> parse(std::string_view text);
};

}  // namespace dinette::kinesis
