#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::tcp {

struct Remote {
  std::string host = "127.0.0.1";  ///< a name, or an IPv4 or IPv6 literal
  std::uint16_t port = 0;
  bool tls = false;  ///< TLS 1.2 or newer
  /// Verify that the server's certificate is the host's and signed by an authority that is trusted.
  bool verify = false;
  std::string trusted_file = {};  ///< PEM file of the authorities; empty: those of the system
};

enum class StreamError {
  unreachable,  ///< the host is unknown, refuses, or does not accept in time
  no_tls,       ///< the server does not speak TLS, or none that both know
  untrusted,    ///< the server's certificate did not pass, or the file of authorities cannot be read
  timed_out,    ///< the deadline passed after the connection was made
  broken,       ///< the connection was lost
};

/// A client's connection to a server. Calls block, until one deadline for all of them. For one thread at a
/// time, and not for event loops.
///
///     auto stream = tcp::Stream::connect({.port = 7}, std::chrono::steady_clock::now() + 2s);
///     if (!stream) return complain(stream.error());
///     DINETTE_CHECK(stream->write("hello"));
///     std::array<char, 100> room;
///     DINETTE_TRY(const std::size_t received, stream->read(room));
class Stream {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// Name lookup takes as long as the system needs; everything else ends at the deadline, or a moment after
  /// a stop is requested, as if that were the deadline.
  static base::Result<Stream, StreamError> connect(const Remote& remote, Deadline deadline,
                                                   std::stop_token stop = {});
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;

  /// Returns the server's certificate in PEM; empty without TLS.
  std::string certificate() const;

  /// Sends all of `bytes`. After a failure the stream is unusable.
  base::Result<void, StreamError> write(std::string_view bytes);
  /// Receives at least one byte. Returns the number; 0 if the server has closed the connection.
  base::Result<std::size_t, StreamError> read(std::span<char> room);

 private:
  class Impl;
  explicit Stream(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::tcp
