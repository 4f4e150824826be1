#pragma once

#include <memory>
#include <string_view>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>

#include "tcp/socket.h"

namespace dinette::tcp {

/// The same over TLS, without verifying the certificate.
class TlsSocket : public Socket {
 public:
  /// `alpn`: the protocol to ask for, if any.
  explicit TlsSocket(std::uint16_t port, std::string_view alpn = "")
      : Socket(port),
        context_(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free),
        tls_(SSL_new(context_.get()), &SSL_free) {
    const std::string offer = static_cast<char>(alpn.size()) + std::string(alpn);
    if (!alpn.empty()) {
      SSL_set_alpn_protos(tls_.get(), reinterpret_cast<const unsigned char*>(offer.data()),
                          static_cast<unsigned>(offer.size()));
    }
    SSL_set_fd(tls_.get(), descriptor());
    handshake_ = SSL_connect(tls_.get()) == 1;
  }

  bool handshake() const { return handshake_; }
  SSL* tls() { return tls_.get(); }

  /// Returns the protocol that the server chose; empty if none.
  std::string_view chosen() const {
    const unsigned char* name = nullptr;
    unsigned length = 0;
    SSL_get0_alpn_selected(tls_.get(), &name, &length);
    return {reinterpret_cast<const char*>(name), length};
  }

 protected:
  ssize_t read_some(char* buffer, std::size_t size) override {
    const int n = SSL_read(tls_.get(), buffer, static_cast<int>(size));
    if (n > 0) return n;
    const bool cut = ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
    const bool ended = SSL_get_error(tls_.get(), n) == SSL_ERROR_ZERO_RETURN || cut;
    ERR_clear_error();
    return ended ? 0 : -1;
  }
  ssize_t write_some(std::string_view bytes) override {
    return SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()));
  }

 private:
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  std::unique_ptr<SSL, decltype(&SSL_free)> tls_;
  bool handshake_ = false;
};

}  // namespace dinette::tcp
