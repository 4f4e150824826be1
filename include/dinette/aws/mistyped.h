#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dinette/aws/json.h"
#include "dinette/aws/shape.h"
#include "dinette/base/function_ref.h"

namespace dinette::aws {

/// A value in a request whose JSON has another type than the API declares.
struct MistypedValue {
  std::string path;  ///< such as "GlobalSecondaryIndexes[0].IndexName"
  bool quoted;       ///< a number or boolean in quotation marks
};

/// Returns the first mistyped values of a request, at most `most`, in the order of the text. It is slow: for
/// requests that a decoder has refused. `fits(json)` says whether an object is a proper variant.
std::vector<MistypedValue> mistyped_values(const Operation& operation, JsonElement request, std::size_t most,
                                           base::FunctionRef<bool(JsonElement json)> fits);

}  // namespace dinette::aws
