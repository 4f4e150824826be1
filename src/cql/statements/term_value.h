#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cql/frames/body_reader.h"

namespace dinette::cql::statements {

/// What a term is: bytes, null, or not set.
struct TermValue {
  using State = frames::Value::State;

  State state = State::null;
  std::string bytes{};

  static TermValue of(std::string value) { return {State::bytes, std::move(value)}; }
  static TermValue of(std::optional<std::string> value) {
    return value ? of(*std::move(value)) : TermValue{};
  }
  bool is_null() const { return state == State::null; }
  bool is_unset() const { return state == State::unset; }
  bool has_bytes() const { return state == State::bytes; }
  /// Null if there are no bytes.
  std::optional<std::string_view> view() const {
    if (!has_bytes()) return std::nullopt;
    return bytes;
  }
};

}  // namespace dinette::cql::statements
