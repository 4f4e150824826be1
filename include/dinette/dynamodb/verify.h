#pragma once

#include <cstdint>

#include "dinette/base/function_ref.h"
#include "dinette/kv/error.h"
#include "dinette/store/verify.h"
#include "dinette/tenancy/world.h"

namespace dinette::dynamodb {

/// How much a check has read.
struct VerifiedData {
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t index_entries = 0;
  std::uint64_t stream_records = 0;
};

/// Reads everything that a world stores for DynamoDB, and checks it: every record can be decoded and is
/// what a write would store, every item has its index entries and its expiry entry, no entry lacks its
/// item, and the counters are right. Reports each fault. Changes nothing; there must be no concurrent
/// writes. Calls `progress` now and then. Unreadable data are also a fault: fails only if the check cannot
/// begin.
kv::Result<VerifiedData> verify_data(tenancy::World& world, store::ReportFault report,
                                     base::FunctionRef<void(const VerifiedData& so_far)> progress);

}  // namespace dinette::dynamodb
