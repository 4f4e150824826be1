#include "dinette/tcp/stream.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include "tcp/authorities.h"
#include "tcp/one_thread.h"
#include "tcp/tls_context.h"

namespace dinette::tcp {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using base::Failure;
using base::Result;
using Error = boost::system::error_code;
using Socket = asio::ip::tcp::socket;

// How long a requested stop may go unnoticed.
constexpr std::chrono::milliseconds stop_interval{100};

bool is_end(const Error& ec) {
  return ec == asio::error::eof || ec == ssl::error::stream_truncated;
}

}  // namespace

class Stream::Impl {
 public:
  Impl(Deadline deadline, std::stop_token stop)
      : deadline_(deadline), stop_(std::move(stop)), context_(one_thread), socket_(context_) {}

  Result<void, StreamError> connect(const Remote& remote) {
    Error ec;
    const std::vector<asio::ip::tcp::endpoint> endpoints = resolve(remote, ec);
    if (!ec) ec = perform([&](auto done) { asio::async_connect(socket_, endpoints, std::move(done)); });
    if (ec) return Failure{StreamError::unreachable};
    socket_.set_option(asio::ip::tcp::no_delay(true), ec);
    return remote.tls ? shake_hands(remote) : Result<void, StreamError>();
  }

  Result<void, StreamError> write(std::string_view bytes) {
    const auto buffer = asio::buffer(bytes);
    const Error ec = perform([&](auto done) {
      tls_ ? asio::async_write(*tls_, buffer, std::move(done))
           : asio::async_write(socket_, buffer, std::move(done));
    });
    if (ec) return Failure{reason(ec)};
    return {};
  }

  Result<std::size_t, StreamError> read(std::span<char> room) {
    const auto buffer = asio::buffer(room.data(), room.size());
    const Error ec = perform([&](auto done) {
      tls_ ? tls_->async_read_some(buffer, std::move(done))
           : socket_.async_read_some(buffer, std::move(done));
    });
    if (ec && !is_end(ec)) return Failure{reason(ec)};
    return size_;
  }

  std::string certificate() { return tls_ ? certificate_of(tls_->native_handle()) : std::string(); }

 private:
  /// The name localhost needs no resolver (RFC 6761 section 6.3): small systems have no /etc/hosts.
  std::vector<asio::ip::tcp::endpoint> resolve(const Remote& remote, Error& ec) {
    using asio::ip::tcp;
    tcp::resolver resolver(context_);
    std::vector<tcp::endpoint> endpoints;
    for (const auto& entry : resolver.resolve(remote.host, std::to_string(remote.port), ec))
      endpoints.push_back(entry.endpoint());
    if (!ec || remote.host != "localhost") return endpoints;
    ec.clear();
    return {{asio::ip::address_v4::loopback(), remote.port}, {asio::ip::address_v6::loopback(), remote.port}};
  }

  static StreamError reason(const Error& ec) {
    return ec == asio::error::timed_out ? StreamError::timed_out : StreamError::broken;
  }

  /// Loads the authorities that are trusted.
  Error trust(const Remote& remote) {
    Error ec;
    if (!remote.verify) return ec;
    tls_context_->set_verify_mode(ssl::verify_peer);
    tls_context_->set_verify_callback(ssl::host_name_verification(remote.host));
    if (remote.trusted_file.empty()) {
      trust_authorities(*tls_context_, ec);
    } else {
      tls_context_->load_verify_file(remote.trusted_file, ec);
    }
    return ec;
  }

  Result<void, StreamError> shake_hands(const Remote& remote) {
    tls_context_.emplace(ssl::context::tls_client);
    tls_context_->set_options(ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
    if (trust(remote)) return Failure{StreamError::untrusted};
    tls_.emplace(socket_, *tls_context_);
    const Error ec =
        perform([&](auto done) { tls_->async_handshake(ssl::stream_base::client, std::move(done)); });
    if (!ec) return {};
    if (is_untrusted(ec)) return Failure{StreamError::untrusted};
    return Failure{ec == asio::error::timed_out ? StreamError::timed_out : StreamError::no_tls};
  }

  /// Runs an operation to its end or to the deadline. Then the socket is closed and no operation is pending.
  template <class Begin>
  Error perform(Begin begin) {
    std::optional<Error> outcome;
    size_ = 0;
    begin(Done{&outcome, &size_});
    context_.restart();
    run(outcome);
    if (!outcome) context_.poll();  // what completed in time counts, even if this thread is late
    if (outcome) return *outcome;
    Error ec;
    socket_.close(ec);
    context_.run();
    return asio::error::timed_out;
  }

  void run(const std::optional<Error>& outcome) {
    if (!stop_.stop_possible()) {
      context_.run_until(deadline_);
      return;
    }
    while (!outcome && !stop_.stop_requested()) {
      const auto now = Deadline::clock::now();
      if (now >= deadline_) return;
      context_.run_until(std::min(deadline_, now + stop_interval));
    }
  }

  /// Receives the outcome of any operation.
  struct Done {
    std::optional<Error>* outcome;
    std::size_t* size;

    void operator()(const Error& ec) const { *outcome = ec; }
    void operator()(const Error& ec, std::size_t n) const {
      *outcome = ec;
      *size = n;
    }
    void operator()(const Error& ec, const asio::ip::tcp::endpoint&) const { *outcome = ec; }
  };

  const Deadline deadline_;
  const std::stop_token stop_;
  asio::io_context context_;
  std::optional<ssl::context> tls_context_;
  Socket socket_;
  std::optional<ssl::stream<Socket&>> tls_;
  std::size_t size_ = 0;  ///< of the last operation, in bytes
};

Stream::Stream(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;

Result<Stream, StreamError> Stream::connect(const Remote& remote, Deadline deadline, std::stop_token stop) {
  auto impl = std::make_unique<Impl>(deadline, std::move(stop));
  DINETTE_CHECK(impl->connect(remote));
  return Stream(std::move(impl));
}

std::string Stream::certificate() const {
  return impl_->certificate();
}

Result<void, StreamError> Stream::write(std::string_view bytes) {
  return impl_->write(bytes);
}

Result<std::size_t, StreamError> Stream::read(std::span<char> room) {
  return impl_->read(room);
}

}  // namespace dinette::tcp
