#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "dinette/http/server.h"

#include "http/refusal.h"

namespace dinette::http {

enum class ReadState {
  need_bytes,     ///< Fill `room()`, then call `received`.
  need_continue,  ///< The client waits for "100 Continue": send it, then call `resume`.
  complete,       ///< `request()` is there; call `next` when it is answered.
  refused,        ///< `refusal()` says why. The connection cannot go on.
};

/// Turns the bytes of one connection into requests, without sockets or threads: the bytes come in, in pieces
/// of any size, and each complete request is seen once. Memory follows what the client has sent, not what it
/// announces.
class RequestReader {
 public:
  explicit RequestReader(const Limits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  /// Where the next bytes go; never empty. Views into the request are void afterwards.
  std::span<char> room();
  /// `n` bytes were put into the room.
  ReadState received(std::size_t n);
  /// Looks again at what is there.
  ReadState resume();
  /// Drops the complete request and looks for the next one behind it.
  ReadState next();

  /// The complete request. Its `remote` and `secure` are the caller's to set, once.
  Request& request();
  bool keep_alive() const;
  /// Whether bytes of an unfinished request are here.
  bool started() const;
  /// Whether the head of an unfinished request is here.
  bool head_complete() const;
  /// Bytes of memory that are kept.
  std::size_t memory() const;
  Refusal refusal() const;
  /// Gives up the memory and everything in it. No request can follow.
  void abandon();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::http
