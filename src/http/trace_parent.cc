#include "dinette/http/trace_parent.h"

#include <cstddef>

namespace dinette::http {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

bool is_hex(std::string_view text) {
  return text.find_first_not_of(hex_digits) == std::string_view::npos;
}

bool is_zero(std::string_view text) {
  return text.find_first_not_of('0') == std::string_view::npos;
}

}  // namespace

// version "-" trace-id "-" parent-id "-" flags; later versions may continue after another "-".
std::optional<std::string_view> trace_id_in(std::string_view trace_parent) {
  constexpr std::size_t size = 55;
  if (trace_parent.size() < size) return std::nullopt;
  const std::string_view version = trace_parent.substr(0, 2);
  const std::string_view trace = trace_parent.substr(3, 32);
  const std::string_view parent = trace_parent.substr(36, 16);
  const std::string_view flags = trace_parent.substr(53, 2);
  const bool dashes = trace_parent[2] == '-' && trace_parent[35] == '-' && trace_parent[52] == '-';
  if (!dashes || !is_hex(version) || !is_hex(trace) || !is_hex(parent) || !is_hex(flags)) return std::nullopt;
  if (version == "ff" || is_zero(trace) || is_zero(parent)) return std::nullopt;
  const bool longer = trace_parent.size() > size;
  if (longer && (version == "00" || trace_parent[size] != '-')) return std::nullopt;
  return trace;
}

std::optional<std::string_view> trace_id_of(const Request& request) {
  std::optional<std::string_view> value;
  for (const Header& header : request.headers) {
    if (!same_header_name(header.name, trace_parent_header)) continue;
    if (value) return std::nullopt;
    value = header.value;
  }
  return value ? trace_id_in(*value) : std::nullopt;
}

}  // namespace dinette::http
