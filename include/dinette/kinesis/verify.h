#pragma once

#include <cstdint>

#include "dinette/kv/error.h"
#include "dinette/store/verify.h"
#include "dinette/tenancy/world.h"

namespace dinette::kinesis {

/// How much a check has read.
struct VerifiedStreams {
  std::uint64_t streams = 0;
  std::uint64_t records = 0;
};

/// Reads all streams of a world, and checks that their descriptions and records can be decoded, that open
/// shards cover all hash keys once, and that every record is in the shard of its hash key. Reports each
/// fault. Changes nothing; there must be no concurrent writes. The world must have world_face().
kv::Result<VerifiedStreams> verify_streams(tenancy::World& world, store::ReportFault report);

}  // namespace dinette::kinesis
