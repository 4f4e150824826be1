#include "dynamodb/tasks/dated_id.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace dinette::dynamodb {
namespace {

constexpr std::size_t digits_of_moment = 14;

}  // namespace

std::string dated_id(codec::Timestamp moment, std::string_view suffix) {
  const std::string number = std::to_string(moment.milliseconds);
  const std::size_t zeros = digits_of_moment - std::min(digits_of_moment, number.size());
  return std::string(zeros, '0').append(number).append("-").append(suffix);
}

std::string new_dated_id(codec::Timestamp moment, base::Ids& ids) {
  std::array<char, 9> digits;
  std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(ids.random() & 0xffffffff));
  return dated_id(moment, digits.data());
}

std::string newest_first(std::string_view id) {
  std::string key;
  for (const char digit : id.substr(0, digits_of_moment)) key += static_cast<char>('9' - (digit - '0'));
  return key.append(id.substr(digits_of_moment));
}

std::string newest_first_key(std::string_view table_arn, std::string_view id) {
  return newest_first(id).append(" ").append(table_arn);
}

}  // namespace dinette::dynamodb
