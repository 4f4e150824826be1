#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Types of CQL, their values as bytes of the native protocol, and the order of values
/// (docs/service-keyspaces/types.md).
namespace dinette::cql {

/// What a type is; the numbers are those of the protocol.
enum class Kind : std::uint16_t {
  custom = 0x00,
  ascii = 0x01,
  bigint = 0x02,
  blob = 0x03,
  boolean = 0x04,
  counter = 0x05,
  decimal = 0x06,
  double_ = 0x07,
  float_ = 0x08,
  int_ = 0x09,
  timestamp = 0x0B,
  uuid = 0x0C,
  text = 0x0D,
  varint = 0x0E,
  timeuuid = 0x0F,
  inet = 0x10,
  date = 0x11,
  time = 0x12,
  smallint = 0x13,
  tinyint = 0x14,
  duration = 0x15,
  list = 0x20,
  map = 0x21,
  set = 0x22,
  udt = 0x30,
  tuple = 0x31,
};

struct Type {
  Kind kind = Kind::blob;
  /// True for what is one value instead of a cell per element. Of list, set, map and udt; tuples always are.
  bool frozen = false;
  std::vector<Type> arguments{};      ///< elements, key and value, components, types of fields
  std::string keyspace{};             ///< of a udt
  std::string name{};                 ///< of a udt; the class of a custom type
  std::vector<std::string> fields{};  ///< names of the fields of a udt, as many as arguments

  friend bool operator==(const Type&, const Type&) = default;
};

/// Returns the kind that a word of CQL in lower case names: "int", "varchar".
std::optional<Kind> native_kind(std::string_view name);

/// Returns true of words that need quotes as names; `word` is in lower case.
bool is_reserved(std::string_view word);
/// Returns a name as statements have it: in quotes where it needs them.
std::string name_in_cql(std::string_view name);

/// Returns true of numbers, whole or not, counters included; not of times.
bool is_number(Kind kind);

/// Returns true of durations, and of types with parts that are or have some.
bool contains_duration(const Type& type);

/// Returns the type as CQL: "map<text, frozen<list<int>>>".
std::string to_text(const Type& type);

/// Appends the type as [option] of the protocol.
void append_option(std::string& out, const Type& type);

}  // namespace dinette::cql
