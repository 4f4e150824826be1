#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "admin/answer.h"

namespace dinette::admin {

inline constexpr std::size_t most_body_bytes = 64 * 1024;
inline constexpr int most_body_depth = 16;

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
  /// Returns the member as it is; null if it is absent.
  const Json& any(const std::string& name) const;

 private:
  Json members_ = Json::object();
};

}  // namespace dinette::admin
