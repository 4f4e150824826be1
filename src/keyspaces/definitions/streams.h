#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/cql/change_streams.h"

#include "keyspaces/request/context.h"

/// Streams of changes: each has one shard (docs/service-keyspaces/control-plane.md section 5).
namespace dinette::keyspaces {

/// Fails with ResourceNotFoundException if there is no stream of that ARN.
Answer<cql::ChangeStreamDescription> open_stream(const Context& context, std::string_view arn);

/// Returns the id of the only shard of a stream.
std::string shard_id(const cql::ChangeStreamDescription& stream);

/// Returns the sequence number of the record at a position: 30 digits, of which later ones are greater.
std::string sequence_number(kv::CommitPosition position);
std::optional<kv::CommitPosition> position_of(std::string_view sequence_number);

/// Where a reader of a shard is.
struct ShardIterator {
  std::string stream_arn{};
  kv::CommitPosition position{};
  std::int64_t issued = 0;  ///< in seconds since 1970

  std::string text() const;
  static std::optional<ShardIterator> parse(std::string_view text);
};

}  // namespace dinette::keyspaces
