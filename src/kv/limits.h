#pragma once

#include "dinette/kv/engine.h"

namespace dinette::kv {

/// Fails with ErrorKind::too_large if a key or value in `batch` exceeds the limits of every engine, and with
/// unsupported if it still has conditions.
Result<void> check_limits(const WriteBatch& batch);

}  // namespace dinette::kv
