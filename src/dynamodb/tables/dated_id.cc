#include "dynamodb/tables/dated_id.h"

#include <array>
#include <cstdio>

#include "dynamodb/tables/backup_entry.h"

namespace dinette::dynamodb {

std::string dated_id(codec::Timestamp moment, base::Ids& ids) {
  std::array<char, 9> digits;
  std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(ids.random() & 0xffffffff));
  return backup_id(moment, digits.data());
}

}  // namespace dinette::dynamodb
