#include "dinette/aws/auth_options.h"

#include <algorithm>

#include "dinette/base/ascii.h"

namespace dinette::aws {
namespace {

constexpr std::size_t longest_region_name = 64;
constexpr std::size_t account_digits = 12;

bool is_part_of_region_name(char c) {
  return base::is_word_character(c) || c == '-';
}

}  // namespace

bool is_region_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_region_name &&
         std::ranges::all_of(text, is_part_of_region_name);
}

bool is_account_number(std::string_view text) {
  return text.size() == account_digits && std::ranges::all_of(text, base::is_digit);
}

}  // namespace dinette::aws
