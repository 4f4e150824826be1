#pragma once

#include "dinette/tablestore/browse.h"

#include "tablestore/request/api_error.h"
#include "tablestore/request/context.h"

namespace dinette::tablestore::browse {

/// Returns an error as callers outside see it.
base::Failure<BrowseRefusal> refusal_of(const ApiError& error);

}  // namespace dinette::tablestore::browse
