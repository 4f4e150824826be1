#pragma once

#include "../format.h"

namespace dinette::definitions {

/// A service of the Serverless Framework, as serverless.yml or as `serverless print --format json` writes it.
extern const Format serverless_format;

}  // namespace dinette::definitions
