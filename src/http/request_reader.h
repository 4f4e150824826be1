#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "dinette/http/server.h"

#include "http/refusal.h"

namespace dinette::http {

enum class ReadState {
  need_bytes,     ///< fill `room()`, then call `received`
  need_continue,  ///< the client waits for "100 Continue": send it, then call `resume`
  complete,       ///< `request()` is there; call `next` when it is answered
  refused,        ///< `refusal()` says why; the connection cannot continue
};

/// Turns the bytes of one connection into requests, without sockets or threads. Bytes arrive in pieces of any
/// size; each complete request is seen once. Memory grows with what the client has sent, not with what it
/// announces.
class RequestReader {
 public:
  explicit RequestReader(const Limits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Returns where the next bytes go; never empty. Invalidates views into the request.
  std::span<char> room();
  /// Takes the `n` bytes that were put there.
  ReadState received(std::size_t n);
  /// Looks again at the bytes that have arrived.
  ReadState resume();
  /// Drops the complete request and looks for the next one after it.
  ReadState next();

  /// Returns the complete request. The caller sets its `remote` and `secure`, once.
  Request& request();
  /// Returns the method and the target of a request that was refused because its body is too large.
  Request refused_request();
  bool keep_alive() const;
  /// Returns true if bytes of an incomplete request have arrived.
  bool started() const;
  /// Returns true if the head of an incomplete request has arrived.
  bool head_complete() const;
  /// Returns the bytes of memory kept.
  std::size_t memory() const;
  Refusal refusal() const;
  /// Releases the memory and its content. No request can follow.
  void abandon();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::http
