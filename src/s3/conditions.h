#pragma once

#include "dinette/objects/object_store.h"

#include "s3/call.h"

namespace dinette::s3 {

/// Checks If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since of a read, in the order of RFC
/// 9110 section 13.2.2.
Done check_read(const Call& call, const objects::ObjectInfo& info);

/// Returns true if a write has conditions.
bool is_conditional_write(const Call& call);
/// Checks them: If-None-Match with "*", and If-Match.
Done check_write(const Call& call);

}  // namespace dinette::s3
