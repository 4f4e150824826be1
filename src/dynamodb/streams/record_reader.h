#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/error.h"
#include "dinette/store/row.h"

#include "dynamodb/api/record.h"
#include "dynamodb/api/stream_entry.h"

namespace dinette::dynamodb {

/// Turns the stored records of a stream into those that its readers get (docs/service/streams.md section 5).
class RecordReader {
 public:
  /// Both must outlive it. `region` is that of the table.
  RecordReader(const api::StreamEntry& stream, std::string_view region);

  kv::Result<api::Record> read(store::StreamId shard, store::StreamPosition position,
                               std::string_view bytes) const;

 private:
  const api::StreamEntry& stream_;
  const std::string_view region_;
  std::vector<std::string> key_names_;  ///< ascending
};

}  // namespace dinette::dynamodb
