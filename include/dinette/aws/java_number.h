#pragma once

#include <cstdint>
#include <string>

namespace dinette::aws {

/// Returns a number, zero or more, as Java prints a double of that value, as Lambda does in its events:
/// 1.789650449E9.
std::string java_number(std::int64_t number);

}  // namespace dinette::aws
