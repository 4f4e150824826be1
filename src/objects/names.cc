#include "dinette/objects/names.h"

#include <algorithm>
#include <array>

#include "dinette/base/ascii.h"
#include "dinette/base/utf8.h"

namespace dinette::objects {
namespace {

using std::string_view;

constexpr std::size_t shortest_name = 3;
constexpr std::size_t longest_name = 63;

// S3 keeps these for other things than buckets ("General purpose bucket naming rules").
constexpr std::array<string_view, 3> reserved_prefixes{"xn--", "sthree-", "amzn-s3-demo-"};
constexpr std::array<string_view, 5> reserved_suffixes{"-s3alias", "--ol-s3", ".mrap", "--x-s3",
                                                       "--table-s3"};

bool is_lower_or_digit(char c) {
  return base::is_digit(c) || (c >= 'a' && c <= 'z');
}

bool is_like_an_address(string_view name) {
  return std::ranges::count(name, '.') == 3 &&
         std::ranges::all_of(name, [](char c) { return base::is_digit(c) || c == '.'; });
}

}  // namespace

bool is_bucket_name(string_view name) {
  if (name.size() < shortest_name || name.size() > longest_name) return false;
  const auto may_be_inside = [](char c) { return is_lower_or_digit(c) || c == '.' || c == '-'; };
  if (!std::ranges::all_of(name, may_be_inside)) return false;
  if (!is_lower_or_digit(name.front()) || !is_lower_or_digit(name.back())) return false;
  if (name.find("..") != string_view::npos || is_like_an_address(name)) return false;
  return std::ranges::none_of(reserved_prefixes, [&](string_view one) { return name.starts_with(one); }) &&
         std::ranges::none_of(reserved_suffixes, [&](string_view one) { return name.ends_with(one); });
}

Result<void> check_key(string_view key) {
  if (key.empty() || key.size() > longest_key)
    return base::Failure{Error{ErrorKind::invalid_key, "the key is empty or too long"}};
  if (!base::is_utf8(key)) return base::Failure{Error{ErrorKind::invalid_key, "the key is not UTF-8"}};
  return {};
}

}  // namespace dinette::objects
