#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "dinette/base/result.h"
#include "dinette/tcp/server.h"

namespace dinette::tcp {

/// Creates the server side of TLS. The error is one sentence for the user. `protocols` must outlive the
/// context.
base::Result<std::unique_ptr<boost::asio::ssl::context>, std::string> make_tls_context(
    const TlsOptions& options, const ProtocolFactory& protocols);

/// Returns the certificate of the other side in PEM; empty if it sent none.
std::string certificate_of(SSL* connection);

/// Returns true if a handshake failed with `error` because the client speaks HTTP without TLS.
bool is_plain_http(const boost::system::error_code& error);

/// Returns true if a handshake failed with `error` because the server's certificate did not pass.
bool is_untrusted(const boost::system::error_code& error);

}  // namespace dinette::tcp
