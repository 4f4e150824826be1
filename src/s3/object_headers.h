#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/objects/object_store.h"

#include "s3/call.h"

namespace dinette::s3 {

using ObjectHeaders = std::vector<std::pair<std::string, std::string>>;

/// Returns the headers of a request that are kept with the object it writes.
ObjectHeaders headers_to_keep(const Call& call);

/// Refuses response-... parameters in requests that are not signed (Amazon S3 API Reference, GetObject).
Done check_replaced_headers(const Call& call);

/// Adds what readers get: the object's headers, replaced by response-... parameters, its ETag and date.
/// `whole`: with checksums, if the reader asks for them, since they are of all bytes.
void add_object_headers(const Call& call, const objects::ObjectInfo& info, bool whole);

}  // namespace dinette::s3
