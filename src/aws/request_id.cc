#include "dinette/aws/request_id.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace dinette::aws {
namespace {

constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
constexpr std::string_view end = "VV4KQNSO5AEMVJF66Q9ASUAAJG";
constexpr std::size_t random_digits = std::tuple_size_v<RequestId> - end.size();
constexpr unsigned bits_per_digit = 5;
constexpr std::size_t digits_per_number = 64 / bits_per_digit;

}  // namespace

RequestId make_request_id(base::Ids& ids) {
  RequestId id;
  std::uint64_t bits = 0;
  for (std::size_t place = 0; place < random_digits; ++place) {
    if (place % digits_per_number == 0) bits = ids.random();
    id[place] = digits[bits % digits.size()];
    bits >>= bits_per_digit;
  }
  std::ranges::copy(end, id.begin() + random_digits);
  return id;
}

}  // namespace dinette::aws
