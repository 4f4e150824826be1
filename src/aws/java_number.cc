#include "dinette/aws/java_number.h"

namespace dinette::aws {

std::string java_number(std::int64_t number) {
  constexpr std::int64_t first_with_exponent = 10'000'000;
  std::string digits = std::to_string(number);
  if (number < first_with_exponent) return digits + ".0";
  const std::size_t exponent = digits.size() - 1;
  while (digits.size() > 2 && digits.back() == '0') digits.pop_back();
  return digits.insert(1, ".") + "E" + std::to_string(exponent);
}

}  // namespace dinette::aws
