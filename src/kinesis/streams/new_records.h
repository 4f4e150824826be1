#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinesis/request/context.h"
#include "kinesis/streams/hash_key.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/sequence_number.h"

// docs/service/kinesis-data-streams.md section 4.
namespace dinette::kinesis {

/// A record to be put. Views: must outlive the call.
struct NewRecord {
  HashKey hash;
  std::string_view partition_key;
  std::string_view data;
};

/// Returns the hash key that a request wants, or that of the partition key.
Answer<HashKey> hash_key_of(std::string_view partition_key, const std::optional<std::string>& explicit_key);

/// Puts records into the open shards of a stream, all in one commit. Returns where each was put.
Answer<std::vector<SequenceNumber>> put(const Context& context, const StreamName& stream,
                                        std::span<const NewRecord> records);

}  // namespace dinette::kinesis
