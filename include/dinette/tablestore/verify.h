#pragma once

#include <cstdint>

#include "dinette/kv/error.h"
#include "dinette/store/verify.h"
#include "dinette/tenancy/world.h"

namespace dinette::tablestore {

/// How much a check has read.
struct VerifiedTables {
  std::uint64_t tables = 0;
  std::uint64_t rows = 0;
};

/// Reads all tables of Tablestore of a world, and checks that their rows can be decoded and are stored as
/// FORMAT.md says, that counters are right, and that index entries are those of the rows. Reports each fault.
/// Changes nothing; there must be no concurrent writes. The world must have the face of Tablestore.
kv::Result<VerifiedTables> verify_tables(tenancy::World& world, store::ReportFault report);

}  // namespace dinette::tablestore
