#pragma once

#include <optional>
#include <string_view>

#include "cql/error.h"
#include "cql/frames/body_reader.h"

/// Which levels statements may have (docs/service-keyspaces/consistency.md).
namespace dinette::cql::frames {

/// Returns "LOCAL_QUORUM" and so on.
std::string_view name_of(Consistency level);

/// Checks what the service accepts of SELECT, USE and DDL.
Answer<void> check_read_level(Consistency level);
/// The same of statements that write rows.
Answer<void> check_write_level(Consistency level);

/// A statement that Cassandra carries out alone.
struct LevelUse {
  bool is_write = false;
  bool is_conditional = false;
  bool changes_counters = false;
  std::string_view table{};
};

/// Checks what Cassandra accepts, which is nearly all.
Answer<void> check_lenient_level(const LevelUse& use, Consistency level, std::optional<Consistency> serial);

}  // namespace dinette::cql::frames
