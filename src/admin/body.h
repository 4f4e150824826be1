#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "admin/answer.h"

namespace dinette::admin {

inline constexpr std::size_t most_body_bytes = 64 * 1024;
inline constexpr int most_body_depth = 16;
/// The largest whole number up to which JSON readers agree.
inline constexpr std::uint64_t largest_integer = std::uint64_t{1} << 53U;

/// The JSON object that a request carries. Members that are absent, or null, read as nothing.
class Body {
 public:
  /// Reads an object of at most most_body_bytes and most_body_depth; no bytes are an empty object.
  static Result<Body> parse(std::string_view text);

  /// Returns a body of these members. `object` must be an object.
  static Body of(Json object);

  /// Fails if there is a member of another name.
  Result<void> allow_only(std::initializer_list<std::string_view> names) const;

  Result<std::optional<std::string>> text(const std::string& name) const;
  Result<std::optional<bool>> flag(const std::string& name) const;
  Result<std::optional<double>> number(const std::string& name) const;
  /// Returns a text that must not be empty if it is present; empty if it is absent.
  Result<std::string> name(const std::string& member) const;
  /// Returns a number that must be whole and within the range, both ends included.
  Result<std::optional<std::uint64_t>> whole(const std::string& name, std::uint64_t least,
                                             std::uint64_t greatest = largest_integer) const;
  /// Returns the member as it is; null if it is absent.
  const Json& any(const std::string& name) const;

 private:
  Json members_ = Json::object();
};

}  // namespace dinette::admin
