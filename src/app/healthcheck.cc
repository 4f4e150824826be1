#include "app/healthcheck.h"

#include <array>
#include <ctime>
#include <memory>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "app/address.h"

namespace dinette::app {
namespace {

using base::Failure;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free_all(bio); }
};
struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;
using Context = std::unique_ptr<SSL_CTX, FreeContext>;

constexpr std::string_view kHealthy = "HTTP/1.1 200 ";
constexpr std::size_t kFirstBytes = 256;  // The status line.

constexpr unsigned kNapMilliseconds = 10;

// False also when nothing answers within `patience`, in whole seconds.
bool connect(BIO* bio, std::chrono::milliseconds patience) {
  const auto end = std::time(nullptr) + std::chrono::ceil<std::chrono::seconds>(patience).count();
  BIO_set_nbio(bio, 1);
  while (BIO_do_connect(bio) != 1) {
    if (!BIO_should_retry(bio) || BIO_wait(bio, end, kNapMilliseconds) != 1) return false;
  }
  return true;
}

// Reads and writes on the socket under `bio` give up after `patience`.
void set_deadline(BIO* bio, std::chrono::milliseconds patience) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
  const timeval timeout{.tv_sec = seconds.count(), .tv_usec = (patience - seconds).count() * 1000};
  int socket = -1;
  BIO_get_fd(bio, &socket);
  BIO_socket_nbio(socket, 0);  // Connecting with a deadline left it otherwise.
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
}

std::string first_bytes(BIO* bio) {
  std::array<char, kFirstBytes> buffer{};
  const int count = BIO_read(bio, buffer.data(), static_cast<int>(buffer.size()));
  return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

}  // namespace

base::Result<void, std::string> check_health(const HealthcheckTarget& target,
                                             std::chrono::milliseconds patience) {
  const auto address = host_and_port(reachable(target.host), target.port);
  const auto failed = [&](std::string_view why) {
    return Failure{"the server at " + address + " " + std::string(why)};
  };

  const Context context(SSL_CTX_new(TLS_client_method()));
  Bio socket(BIO_new_connect(address.c_str()));
  if (!socket || !connect(socket.get(), patience)) {
    return failed("does not answer; is it running on that port?");
  }
  set_deadline(socket.get(), patience);
  Bio stream = std::move(socket);
  if (target.tls) {
    Bio tls(BIO_new_ssl(context.get(), 1));
    stream.reset(BIO_push(tls.release(), stream.release()));
  }

  // OPTIONS is answered 200 however the server was started; GET is not where DynamoDB Local would not.
  const auto request = "OPTIONS / HTTP/1.1\r\nHost: " + address + "\r\nConnection: close\r\n\r\n";
  const auto too_late = [&] {
    return failed("takes connections, but does not answer within " + std::to_string(patience.count()) +
                  " ms");
  };
  if (BIO_write(stream.get(), request.data(), static_cast<int>(request.size())) <= 0) {
    if (BIO_should_retry(stream.get())) return too_late();
    return failed(target.tls ? "accepts no TLS; leave out --tls?" : "takes no request");
  }
  const auto answer = first_bytes(stream.get());
  if (answer.starts_with(kHealthy)) return {};
  if (answer.empty() && BIO_should_retry(stream.get())) return too_late();
  if (!answer.starts_with("HTTP/")) return failed("does not answer in HTTP; does it need --tls?");
  return failed("is not well: " + answer.substr(0, answer.find("\r\n")));
}

}  // namespace dinette::app
