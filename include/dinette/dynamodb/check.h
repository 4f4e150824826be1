#pragma once

#include <cstdint>

#include "dinette/base/function_ref.h"
#include "dinette/kv/error.h"
#include "dinette/store/check.h"
#include "dinette/store/world.h"

namespace dinette::dynamodb {

/// How much a check has read.
struct CheckedData {
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t index_entries = 0;
  std::uint64_t stream_records = 0;
};

/// Reads everything that a world keeps for DynamoDB, and compares it: every record reads and is what a write
/// would make of it, every item has its entries in the indexes and among those that expire, no entry is
/// without an item, and the counters are right. Each fault is reported. Changes nothing; nobody may write
/// meanwhile. Calls `progress` now and then. What cannot be read at all is a fault, too: fails only if the
/// check cannot begin.
kv::Result<CheckedData> check_data(store::World& world, store::ReportFault report,
                                   base::FunctionRef<void(const CheckedData& so_far)> progress);

}  // namespace dinette::dynamodb
