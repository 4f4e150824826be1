#pragma once

#include "s3/call.h"

namespace dinette::s3 {

/// Carries out the operation that the request asks for, by its method, address and parameters.
Done run(const Call& call);

}  // namespace dinette::s3
