#pragma once

#include <string_view>

#include "cql/error.h"
#include "cql/types/type.h"

namespace dinette::cql {

/// Checks that `bytes` are a value of the type, as clients send it; the error is Invalid. Values of no bytes
/// are values of most types (docs/service-keyspaces/types.md section 4). Takes time linear in the bytes.
Answer<void> check_value(const Type& type, std::string_view bytes);

/// The same of the list that IN is bound to, whose elements may be null.
Answer<void> check_list_of_in(const Type& list, std::string_view bytes);

}  // namespace dinette::cql
