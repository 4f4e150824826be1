#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "s3/call.h"

namespace dinette::s3 {

/// Returns the names of all operations, such as GetObject.
std::vector<std::string_view> operation_names();

/// Carries out the operation that the request asks for, by its method, address and parameters. `operation`
/// becomes its position in operation_names(), nothing if there is none.
Done run(const Call& call, std::optional<std::size_t>& operation);

}  // namespace dinette::s3
