#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cql/error.h"
#include "cql/frames/header.h"

namespace dinette::cql::frames {

enum class Consistency : std::uint16_t {
  any = 0,
  one = 1,
  two = 2,
  three = 3,
  quorum = 4,
  all = 5,
  local_quorum = 6,
  each_quorum = 7,
  serial = 8,
  local_serial = 9,
  local_one = 10,
};

/// A bound value: bytes, null, or not set.
struct Value {
  enum class State : std::uint8_t { null, unset, bytes };

  State state = State::null;
  std::string_view bytes;

  friend bool operator==(const Value&, const Value&) = default;
};

/// Reads the parts of which bodies of requests consist; errors are protocol errors. Views are of the body.
class BodyReader {
 public:
  BodyReader(std::string_view body, Version version) : rest_(body), version_(version) {}

  Version version() const { return version_; }

  Answer<std::uint8_t> read_byte();
  Answer<std::uint16_t> read_short();
  Answer<std::int32_t> read_int();
  Answer<std::int64_t> read_long();
  Answer<std::string_view> read_string();
  Answer<std::string_view> read_long_string();
  Answer<std::vector<std::string_view>> read_string_list();
  Answer<std::vector<std::pair<std::string_view, std::string_view>>> read_string_map();
  /// Null is nullopt.
  Answer<std::optional<std::string_view>> read_bytes();
  Answer<std::string_view> read_short_bytes();
  Answer<Value> read_value();
  Answer<Consistency> read_consistency();
  /// Skips a custom payload, a map of bytes.
  Answer<void> skip_bytes_map();

 private:
  Answer<std::string_view> read(std::size_t count);
  Answer<std::string_view> read_utf8(std::size_t count);

  std::string_view rest_;
  Version version_;
};

}  // namespace dinette::cql::frames
