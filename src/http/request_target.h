#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dinette::http {

/// A request target in absolute form, "http://localhost:8000/items?page=2" (RFC 9112 section 3.2.2), which
/// clients send to proxies, and servers must accept.
struct AbsoluteTarget {
  std::string_view authority;  ///< takes the place of the Host header
  std::string_view rest;       ///< path and query: empty, or "/...", or "?..."
};

/// Returns true if a target is in that form.
bool is_absolute(std::string_view target);

/// Reads a target in that form. Returns nothing if it names no host, or a user.
std::optional<AbsoluteTarget> read_absolute(std::string_view target);

}  // namespace dinette::http
