#pragma once

#include "dinette/http/server.h"

namespace dinette::http {

/// Why a request is not passed to the handler.
enum class Refusal {
  malformed,
  plain_to_tls,  ///< HTTP without TLS, where TLS is spoken
  tls_to_plain,  ///< TLS, where it is not spoken
  http2,         ///< HTTP/2, which is not spoken
  too_slow,
  body_too_large,
  header_too_large,
  too_many_connections,
  out_of_memory,  ///< connections hold too much memory
};

/// Fills in a response that closes the connection. `request`: as ServerOptions::on_refusal gets it.
void write_refusal(Refusal refusal, const Request& request, const ServerOptions& options, Response& response);

}  // namespace dinette::http
