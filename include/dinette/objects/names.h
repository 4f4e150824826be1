#pragma once

#include <string_view>

#include "dinette/objects/object_store.h"

namespace dinette::objects {

/// Returns true if a bucket may have this name, by the rules of S3 for general purpose buckets.
bool is_bucket_name(std::string_view name);

/// Fails with ErrorKind::invalid_key if no object may have this key.
Result<void> check_key(std::string_view key);

}  // namespace dinette::objects
