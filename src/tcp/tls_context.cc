#include "tcp/tls_context.h"

#include <string_view>

#include <boost/asio/ssl/error.hpp>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>
#include <openssl/x509v3.h>

namespace dinette::tcp {
namespace {

namespace ssl = boost::asio::ssl;
using base::Failure;
using base::Result;

constexpr long seconds_per_day = 24 * 60 * 60;
constexpr long valid_days = 365;
constexpr const char* self_signed_names = "DNS:localhost,IP:127.0.0.1,IP:::1";

template <class T, void (*free_function)(T*)>
struct Freed {
  void operator()(T* object) const { free_function(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION, X509_EXTENSION_free>>;

bool add_names(X509* certificate) {
  const Extension names(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, self_signed_names));
  return names && X509_add_ext(certificate, names.get(), -1) == 1;
}

// A self-signed certificate, which is not stored.
Certificate self_signed(EVP_PKEY* key) {
  Certificate certificate(X509_new());
  if (!certificate) return nullptr;
  X509* x = certificate.get();
  X509_NAME* name = X509_get_subject_name(x);
  const auto* host = reinterpret_cast<const unsigned char*>("localhost");
  // Valid since yesterday, for clocks that differ.
  const bool filled = X509_set_version(x, X509_VERSION_3) == 1 &&
                      ASN1_INTEGER_set(X509_get_serialNumber(x), 1) == 1 &&
                      X509_gmtime_adj(X509_getm_notBefore(x), -seconds_per_day) != nullptr &&
                      X509_gmtime_adj(X509_getm_notAfter(x), valid_days * seconds_per_day) != nullptr &&
                      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, host, -1, -1, 0) == 1 &&
                      X509_set_issuer_name(x, name) == 1 && X509_set_pubkey(x, key) == 1 && add_names(x) &&
                      X509_sign(x, key, EVP_sha256()) > 0;
  return filled ? std::move(certificate) : nullptr;
}

bool use_self_signed(SSL_CTX* context) {
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return false;
  const Certificate certificate = self_signed(key.get());
  return certificate && SSL_CTX_use_certificate(context, certificate.get()) == 1 &&
         SSL_CTX_use_PrivateKey(context, key.get()) == 1;
}

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

Result<void, std::string> use_files(ssl::context& context, const TlsOptions& options) {
  boost::system::error_code ec;
  context.use_certificate_chain_file(options.certificate_file, ec);
  if (ec) {
    return Failure{"Cannot use the TLS certificate " + options.certificate_file + " (" + ec.message() +
                   "): it must be a readable PEM file, the server's own certificate first."};
  }
  context.use_private_key_file(options.key_file, ssl::context::pem, ec);
  if (ec) {
    return Failure{"Cannot use the TLS key " + options.key_file + " (" + ec.message() +
                   "): it must be a readable PEM file without pass phrase that belongs to the certificate."};
  }
  return {};
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
  } else if (!use_self_signed(native)) {
    return Failure{
        std::string("Cannot make a self-signed TLS certificate: give a certificate and a key file.")};
  }
  return context;
}

bool is_plain_http(const boost::system::error_code& error) {
  return has_reason(error, SSL_R_HTTP_REQUEST);
}

bool is_untrusted(const boost::system::error_code& error) {
  return has_reason(error, SSL_R_CERTIFICATE_VERIFY_FAILED);
}

}  // namespace dinette::tcp
