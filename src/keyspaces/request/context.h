#pragma once

#include "dinette/base/clock.h"
#include "dinette/cql/definitions.h"

#include "keyspaces/request/api_error.h"

namespace dinette::keyspaces {

/// What an operation works with, in addition to its input. Lives as long as the request.
struct Context {
  cql::DefinitionScope scope;  ///< of the caller
  base::TimePoint now;         ///< by the world's clock, for the whole request
};

}  // namespace dinette::keyspaces
