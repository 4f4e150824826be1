#include "dinette/aws/request_id.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace dinette::aws {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::size_t pairs = digits.size() * digits.size();
/// Five pairs leave about twelve of a number's 64 random bits, so that all pairs are nearly equally likely.
constexpr std::size_t pairs_per_number = 5;

/// All pairs of digits, so that one multiplication yields two of them.
constexpr auto pair_text = [] {
  std::array<char, 2 * pairs> text{};
  for (std::size_t i = 0; i < pairs; ++i) {
    text[2 * i] = digits[i / digits.size()];
    text[2 * i + 1] = digits[i % digits.size()];
  }
  return text;
}();

}  // namespace

RequestId make_request_id(base::Ids& ids) {
  RequestId id;
  static_assert(std::tuple_size_v<RequestId> % 2 == 0);
  std::uint64_t fraction = 0;  // binary; its digits in base `pairs` are the pairs
  for (std::size_t pair = 0; pair < id.size() / 2; ++pair) {
    if (pair % pairs_per_number == 0) fraction = ids.random();
    __extension__ const auto product = static_cast<unsigned __int128>(fraction) * pairs;
    std::copy_n(&pair_text[2 * static_cast<std::size_t>(product >> 64)], 2, &id[2 * pair]);
    fraction = static_cast<std::uint64_t>(product);
  }
  return id;
}

}  // namespace dinette::aws
