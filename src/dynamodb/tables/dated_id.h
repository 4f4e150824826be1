#pragma once

#include <string>

#include "dinette/base/ids.h"

#include "dynamodb/codec/inputs.h"

namespace dinette::dynamodb {

/// Returns a new id as backups, exports and imports have it: the moment as 14 digits of milliseconds, `-`,
/// and 8 random hexadecimal digits.
std::string dated_id(codec::Timestamp moment, base::Ids& ids);

}  // namespace dinette::dynamodb
