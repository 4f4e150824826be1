#pragma once

#include <string>

#include "dinette/base/result.h"

namespace dinette::dynamodb::item_files {

/// A value, or an error message for the user that says what is wrong and where.
template <class T>
using Outcome = base::Result<T, std::string>;

}  // namespace dinette::dynamodb::item_files
