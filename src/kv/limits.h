#pragma once

#include "dinette/kv/engine.h"

namespace dinette::kv {

/// ErrorKind::too_large when a key or value in `batch` is beyond the limits of every engine.
Result<void> check_limits(const WriteBatch& batch);

}  // namespace dinette::kv
