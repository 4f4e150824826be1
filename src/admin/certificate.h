#pragma once

#include "admin/call.h"

namespace dinette::admin {

/// Everyone may have it: the server presents it to every client.
inline constexpr std::string_view certificate_path = "/_dinette/certificate.pem";

Answer get_certificate(State& state, const Call& call);

}  // namespace dinette::admin
