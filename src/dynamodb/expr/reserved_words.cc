#include "dynamodb/expr/reserved_words.h"

#include <algorithm>
#include <array>
#include <string>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb::expr {
namespace {

constexpr auto words = std::to_array<std::string_view>({
#include "dynamodb/api/reserved_words.inc"
});
static_assert(std::ranges::is_sorted(words));

constexpr std::size_t longest = std::ranges::max(words, {}, &std::string_view::size).size();

}  // namespace

bool is_reserved_word(std::string_view word) {
  if (word.size() > longest) return false;
  std::array<char, longest> upper{};
  std::ranges::transform(word, upper.begin(), base::to_upper);
  return std::ranges::binary_search(words, std::string_view(upper.data(), word.size()));
}

}  // namespace dinette::dynamodb::expr
