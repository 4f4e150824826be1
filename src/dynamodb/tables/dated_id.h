#pragma once

#include <string>
#include <string_view>

#include "dinette/base/ids.h"

#include "dynamodb/codec/inputs.h"

namespace dinette::dynamodb {

/// Returns a new id as backups, exports, imports and bulk operations have it: the moment as 14 digits of
/// milliseconds, `-`, and 8 random hexadecimal digits.
std::string dated_id(codec::Timestamp moment, base::Ids& ids);

/// Returns a key for what has this id and belongs to a table, in the order of which the newest comes first.
/// `id` is well-formed: 14 digits, `-` and 8 hexadecimal digits.
std::string newest_first_key(std::string_view table_arn, std::string_view id);

}  // namespace dinette::dynamodb
