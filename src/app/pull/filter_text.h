#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::app {

/// A filter as requests have it: an expression whose names and values are in objects of their own.
struct FilterText {
  std::string expression;
  std::string names = {};   ///< ExpressionAttributeNames as JSON; empty: none
  std::string values = {};  ///< ExpressionAttributeValues as JSON; empty: none
};

/// Reads a filter expression with the values in it: `age >= 18 and begins_with(name, 'A')`. Texts are in
/// single or double quotes, doubled within; also numbers, true, false and null. Any attribute name may be
/// written, also a reserved word; one with other characters than letters, digits, _ and - in backquotes. `==`
/// and `!=` are accepted. The error is a sentence that names the place.
base::Result<FilterText, std::string> read_filter(std::string_view text);

}  // namespace dinette::app
