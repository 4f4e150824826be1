#pragma once

#include <string_view>

#include "dinette/aws/json_types.h"
#include "dinette/kv/error.h"
#include "dinette/kv/value.h"

#include "kinesis/streams/hash_key.h"

namespace dinette::kinesis {

/// A record as a shard keeps it (FORMAT.md): views of the stored bytes.
struct StoredRecord {
  aws::Timestamp arrived;
  HashKey hash;
  std::string_view partition_key;
  std::string_view data;

  /// The bytes that count for limits.
  std::size_t size() const { return partition_key.size() + data.size(); }
};

kv::Value encode_record(const StoredRecord& record);
kv::Result<StoredRecord> decode_record(std::string_view bytes);

}  // namespace dinette::kinesis
