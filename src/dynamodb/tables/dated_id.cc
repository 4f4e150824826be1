#include "dynamodb/tables/dated_id.h"

#include <array>
#include <cstddef>
#include <cstdio>

#include "dynamodb/tables/backup_entry.h"

namespace dinette::dynamodb {

std::string dated_id(codec::Timestamp moment, base::Ids& ids) {
  std::array<char, 9> digits;
  std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(ids.random() & 0xffffffff));
  return backup_id(moment, digits.data());
}

std::string newest_first_key(std::string_view table_arn, std::string_view id) {
  constexpr std::size_t digits = 14;
  std::string key;
  for (const char digit : id.substr(0, digits)) key += static_cast<char>('9' - (digit - '0'));
  return key.append(id.substr(digits)).append(" ").append(table_arn);
}

}  // namespace dinette::dynamodb
