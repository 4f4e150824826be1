#include "tcp/tls_context.h"

#include <ctime>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/error.hpp>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>

#include "dinette/base/file_advice.h"

#include "tcp/pem.h"

namespace dinette::tcp {
namespace {

namespace ssl = boost::asio::ssl;
using base::Failure;
using base::Result;

// Selects our protocol if the client offers it, and refuses clients that offer only others.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void* protocols) {
  const std::string_view name = static_cast<const ProtocolFactory*>(protocols)->alpn();
  if (name.empty()) return SSL_TLSEXT_ERR_NOACK;
  const std::string ours = static_cast<char>(name.size()) + std::string(name);
  unsigned char* selected = nullptr;
  // The selection is part of the first list, which must outlive this call.
  if (SSL_select_next_proto(&selected, length, offered, offered_length,
                            reinterpret_cast<const unsigned char*>(ours.data()),
                            static_cast<unsigned>(ours.size())) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = selected;
  return SSL_TLSEXT_ERR_OK;
}

/// Returns what to do if the file cannot be read, as sentences that follow another one.
std::string for_reading(const std::string& path) {
  const std::string advice = base::reading_advice(path);
  return advice.empty() ? "" : advice.substr(1) + ".";
}

Result<void, std::string> use_files(ssl::context& context, const TlsOptions& options) {
  boost::system::error_code ec;
  context.use_certificate_chain_file(options.certificate_file, ec);
  if (ec) {
    return Failure{"Cannot use the TLS certificate " + options.certificate_file + " (" + ec.message() +
                   "): it must be a readable PEM file, the server's own certificate first." +
                   for_reading(options.certificate_file)};
  }
  context.use_private_key_file(options.key_file, ssl::context::pem, ec);
  if (ec) {
    return Failure{"Cannot use the TLS key " + options.key_file + " (" + ec.message() +
                   "): it must be a readable PEM file without pass phrase that belongs to the certificate." +
                   for_reading(options.key_file)};
  }
  return {};
}

Result<void, std::string> use_self_signed(ssl::context& context, const SelfSigned& given) {
  const auto pair = given.certificate.empty() ? make_self_signed(std::time(nullptr)) : given;
  boost::system::error_code ec;
  if (pair) context.use_certificate(boost::asio::buffer(pair->certificate), ssl::context::pem, ec);
  if (pair && !ec) context.use_private_key(boost::asio::buffer(pair->key), ssl::context::pem, ec);
  if (pair && !ec) return {};
  return Failure{"Cannot use a self-signed TLS certificate" +
                 (ec ? " (" + ec.message() + ")" : std::string()) +
                 ": give a certificate and a key file that belongs to it."};
}

bool has_reason(const boost::system::error_code& error, int reason) {
  return error.category() == boost::asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(error.value())) == reason;
}

}  // namespace

Result<std::unique_ptr<ssl::context>, std::string> make_tls_context(const TlsOptions& options,
                                                                    const ProtocolFactory& protocols) {
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return Failure{
        std::string("TLS needs both a certificate file and a key file, or neither for a self-signed one.")};
  }
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  SSL_CTX* native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);  // idle connections release 34 KB
  SSL_CTX_set_alpn_select_cb(native, &choose_protocol, const_cast<ProtocolFactory*>(&protocols));
  if (!options.certificate_file.empty()) {
    DINETTE_CHECK(use_files(*context, options));
  } else {
    DINETTE_CHECK(use_self_signed(*context, options.self_signed));
  }
  return context;
}

std::string certificate_of(SSL* connection) {
  const std::unique_ptr<X509, void (*)(X509*)> certificate(SSL_get1_peer_certificate(connection), &X509_free);
  if (!certificate) return {};
  return pem_of([&](BIO* out) { return PEM_write_bio_X509(out, certificate.get()); });
}

bool is_plain_http(const boost::system::error_code& error) {
  return has_reason(error, SSL_R_HTTP_REQUEST);
}

bool is_untrusted(const boost::system::error_code& error) {
  return has_reason(error, SSL_R_CERTIFICATE_VERIFY_FAILED);
}

}  // namespace dinette::tcp
