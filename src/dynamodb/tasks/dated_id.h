#pragma once

#include <string>
#include <string_view>

#include "dinette/base/ids.h"

#include "dynamodb/codec/inputs.h"

/// Ids as backups, exports, imports and bulk operations have them: a moment as 14 digits of milliseconds,
/// `-`, and 8 hexadecimal digits.
namespace dinette::dynamodb {

std::string dated_id(codec::Timestamp moment, std::string_view suffix);
/// Returns one with random digits at its end.
std::string new_dated_id(codec::Timestamp moment, base::Ids& ids);

/// Returns an id with the digits of its moment taken from nine: in the order of bytes, the newest comes
/// first. The id must be well-formed.
std::string newest_first(std::string_view id);
/// Returns a key of something with this id that belongs to a table, in the same order.
std::string newest_first_key(std::string_view table_arn, std::string_view id);

}  // namespace dinette::dynamodb
