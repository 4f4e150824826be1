#pragma once

#include <optional>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/http/message.h"

#include "tablestore/request/api_error.h"
#include "tablestore/wire/key_ring.h"
#include "tablestore/wire/ots_headers.h"

namespace dinette::tablestore::wire {

/// Checks everything but method, path and message, in the order of the service (tablestore/wire.md section 7,
/// rows 3 to 11). `signer` belongs to the request. Returns the name of the instance, in lower case.
Answer<std::string> check_envelope(const http::Request& request, const OtsHeaders& headers,
                                   const KeyRing& keys, const std::optional<Signer>& signer,
                                   base::TimePoint now);

}  // namespace dinette::tablestore::wire
