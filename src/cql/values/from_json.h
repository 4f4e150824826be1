#pragma once

#include <string>
#include <string_view>

#include "cql/error.h"
#include "cql/types/type.h"
#include "cql/values/json_reader.h"

namespace dinette::cql {

/// Returns the bytes of a value that JSON gives (docs/service-keyspaces/types.md section 8); `json` is not
/// null. The message of an error is the reason alone.
Answer<std::string> value_from_json(const Type& type, const JsonValue& json);

/// Returns the column or field that a name in JSON means: folded to lower case unless it has quotes of its
/// own.
std::string column_of_json(std::string_view name);

}  // namespace dinette::cql
