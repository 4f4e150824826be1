#pragma once

#include <cstdint>

#include "dinette/kv/error.h"
#include "dinette/store/verify.h"
#include "dinette/tenancy/world.h"

namespace dinette::cql {

/// How much a check has read.
struct VerifiedRows {
  std::uint64_t tables = 0;
  std::uint64_t rows = 0;
};

/// Reads all tables of a world, and checks that rows, cells and records of changes can be decoded, that rows
/// are at the keys of their columns, that values are of their types, that cells are in order, that each
/// record that must be looked at has its entry, and that tables count their rows and bytes. Reports each
/// fault. Changes nothing; there must be no concurrent writes. The world must have world_face().
kv::Result<VerifiedRows> verify_rows(tenancy::World& world, store::ReportFault report);

}  // namespace dinette::cql
