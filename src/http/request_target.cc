#include "http/request_target.h"

#include <algorithm>

#include "dinette/base/ascii.h"

namespace dinette::http {
namespace {

/// Returns the length of the scheme and what follows it; 0 if it is none of a web server's.
std::size_t scheme_size(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (base::equal_ignoring_case(target.substr(0, scheme.size()), scheme)) return scheme.size();
  }
  return 0;
}

}  // namespace

bool is_absolute(std::string_view target) {
  return !target.starts_with('/') && scheme_size(target) != 0;
}

std::optional<AbsoluteTarget> read_absolute(std::string_view target) {
  target.remove_prefix(scheme_size(target));
  const std::size_t end = std::min(target.find_first_of("/?"), target.size());
  const AbsoluteTarget read{target.substr(0, end), target.substr(end)};
  if (read.authority.empty() || read.authority.find('@') != std::string_view::npos) return std::nullopt;
  return read;
}

}  // namespace dinette::http
