#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/kv/error.h"
#include "dinette/tenancy/world.h"

/// Streams for other services of the same process, which deliver to them in the background. The world must
/// have world_face() (service.h). `name_space`: in which the stream is, as tenancy::Tenants chooses it.
/// Thread-safe.
namespace dinette::kinesis {

struct StreamFacts {
  std::string name;
  std::string account;  ///< twelve digits
  std::string region;
  bool writable = false;  ///< ACTIVE or UPDATING
};

/// Returns what is known of the stream of that ARN; nothing if there is none.
kv::Result<std::optional<StreamFacts>> find_stream(tenancy::World& world, std::string_view name_space,
                                                   std::string_view stream_arn);

/// A record to be put. Views: must outlive the call.
struct RecordToPut {
  std::string_view partition_key;  ///< 1 to 256 characters; its MD5 chooses the shard
  std::string_view data;           ///< at most 1 MiB with the partition key, unless the stream allows more
};

struct PutFailure {
  enum class Reason {
    no_stream,  ///< there is none of that ARN, or it is CREATING
    refused,    ///< by a limit of the service
    storage,    ///< it may go well the next time
  };
  Reason reason;
  std::string message;  ///< the service's
};

/// Puts records in one commit, at the present of the world's clock: all or none, records of the same shard in
/// their order. A call that failed with Reason::storage may put a record twice if it is repeated. Must be
/// called where waiting is allowed (base::may_wait).
base::Result<void, PutFailure> put_records(tenancy::World& world, std::string_view name_space,
                                           std::string_view stream_arn, std::span<const RecordToPut> records);

}  // namespace dinette::kinesis
