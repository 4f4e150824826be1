#include "dynamodb/wire/content_coding.h"

#include <charconv>
#include <optional>

#include "dinette/net/http.h"

#include "dynamodb/wire/tokens.h"

namespace dinette::dynamodb::wire {
namespace {

/// Whether a weight such as "0.5" is above zero. One that cannot be read is not.
bool wanted(std::string_view weight) {
  double value = 0;
  const char* const end = weight.data() + weight.size();
  return std::from_chars(weight.data(), end, value).ptr == end && value > 0;
}

/// Of the parameters "a=b;q=0.5"; without a weight, all is welcome.
bool wanted_by(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view value = take_until(parameters, ';');
    const std::string_view name = trimmed(take_until(value, '='));
    if (net::same_header_name(name, "q")) return wanted(trimmed(value));
  }
  return true;
}

}  // namespace

bool is_gzip(std::string_view coding) {
  return net::same_header_name(coding, "gzip") || net::same_header_name(coding, "x-gzip");
}

bool accepts_gzip(std::string_view accept_encoding) {
  std::optional<bool> by_name;
  bool by_star = false;
  while (!accept_encoding.empty()) {
    std::string_view parameters = take_until(accept_encoding, ',');
    const std::string_view coding = trimmed(take_until(parameters, ';'));
    if (is_gzip(coding)) by_name = by_name.value_or(false) || wanted_by(parameters);
    if (coding == "*") by_star = wanted_by(parameters);
  }
  return by_name.value_or(by_star);
}

}  // namespace dinette::dynamodb::wire
