#include "cql/frames/consistency.h"

#include <array>
#include <string>

namespace dinette::cql::frames {
namespace {

constexpr std::array<std::string_view, 11> names_of_levels = {
    "ANY",          "ONE",         "TWO",    "THREE",        "QUORUM",   "ALL",
    "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL", "LOCAL_SERIAL", "LOCAL_ONE"};

base::Failure<Error> refused_level(Consistency level, std::string_view supported) {
  return invalid(
      "Consistency level " + std::string(name_of(level)) +
      " is not supported for this operation. Supported consistency levels are: " + std::string(supported));
}

}  // namespace

std::string_view name_of(Consistency level) {
  return names_of_levels[static_cast<std::size_t>(level)];
}

Answer<void> check_read_level(Consistency level) {
  const bool supported =
      level == Consistency::one || level == Consistency::local_one || level == Consistency::local_quorum;
  if (supported) return {};
  return refused_level(level, "ONE, LOCAL_QUORUM, LOCAL_ONE");
}

Answer<void> check_write_level(Consistency level) {
  if (level == Consistency::local_quorum) return {};
  return refused_level(level, "LOCAL_QUORUM");
}

Answer<void> check_lenient_level(const LevelUse& use, Consistency level, std::optional<Consistency> serial) {
  const auto is_serial = [](Consistency one) {
    return one == Consistency::serial || one == Consistency::local_serial;
  };
  if (use.is_conditional) {
    if (serial && !is_serial(*serial))
      return invalid("Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL");
    if (!is_serial(level)) return {};
    return invalid(
        std::string(name_of(level)) +
        " is not supported as conditional update commit consistency. Use ANY if you mean \"make sure "
        "it is accepted but I don't care how many replicas commit it for non-SERIAL reads\"");
  }
  if (!use.is_write) {
    if (level != Consistency::any) return {};
    return invalid("ANY ConsistencyLevel is only supported for writes");
  }
  if (use.changes_counters && level == Consistency::any) {
    return invalid("Consistency level ANY is not yet supported for counter table " + std::string(use.table));
  }
  if (!is_serial(level)) return {};
  return invalid("You must use conditional updates for serializable writes");
}

}  // namespace dinette::cql::frames
