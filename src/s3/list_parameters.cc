#include "s3/list_parameters.h"

#include <algorithm>
#include <charconv>

#include "dinette/http/query_string.h"

namespace dinette::s3 {
namespace {

constexpr std::size_t most_listed = 1'000;

}  // namespace

Outcome<std::size_t> read_limit(const Call& call, std::string_view parameter) {
  const std::string_view text = call.parameter(parameter);
  std::size_t limit = most_listed;
  if (text.empty()) return limit;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
    return fail(Code::invalid_argument,
                "Provided " + std::string(parameter) + " not an integer or within integer range");
  }
  return std::min(limit, most_listed);
}

std::string KeyEncoding::text(std::string_view key) const {
  return encoded ? http::percent_encode(key, "/") : std::string(key);
}

Outcome<KeyEncoding> read_encoding(const Call& call) {
  const std::string_view encoding = call.parameter("encoding-type");
  if (!encoding.empty() && encoding != "url")
    return fail(Code::invalid_argument, "Invalid Encoding Method specified in Request");
  return KeyEncoding{!encoding.empty()};
}

}  // namespace dinette::s3
