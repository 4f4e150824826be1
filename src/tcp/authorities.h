#pragma once

#include <span>
#include <string>

#include <boost/asio/ssl/context.hpp>

namespace dinette::tcp {

/// Returns the first of the files that exists, if OpenSSL finds no authorities by itself: neither
/// $SSL_CERT_FILE nor $SSL_CERT_DIR is set, and `default_file` and `default_folder`, its own, are missing.
/// Otherwise returns an empty text.
std::string other_authorities(const char* default_file, const char* default_folder,
                              std::span<const char* const> files);

/// Makes a client trust the authorities that this machine trusts.
void trust_authorities(boost::asio::ssl::context& context, boost::system::error_code& ec);

}  // namespace dinette::tcp
