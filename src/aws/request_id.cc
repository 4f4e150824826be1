#include "dinette/aws/request_id.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>

namespace dinette::aws {
namespace {

constexpr std::string_view end = "VV4KQNSO5AEMVJF66Q9ASUAAJG";
constexpr std::size_t random_digits = std::tuple_size_v<RequestId> - end.size();

using EightDigits = std::uint64_t;

constexpr EightDigits in_every_byte(unsigned char byte) {
  return byte * EightDigits{0x0101010101010101};
}

/// Returns eight of the digits 0 to 9 and A to V, of five bits of each byte.
EightDigits digits_of(std::uint64_t random) {
  const EightDigits values = random & in_every_byte(31);
  const EightDigits letters = (values + in_every_byte(128 - 10)) >> 7 & in_every_byte(1);
  return values + in_every_byte('0') + letters * ('A' - '0' - 10);
}

}  // namespace

RequestId make_request_id(base::Ids& ids) {
  RequestId id;
  constexpr std::size_t last = random_digits - sizeof(EightDigits);
  for (const std::size_t place : {std::size_t{0}, sizeof(EightDigits), 2 * sizeof(EightDigits), last}) {
    const EightDigits digits = digits_of(ids.random());
    std::memcpy(id.data() + place, &digits, sizeof digits);
  }
  static_assert(last <= 3 * sizeof(EightDigits));
  std::memcpy(id.data() + random_digits, end.data(), end.size());
  return id;
}

}  // namespace dinette::aws
