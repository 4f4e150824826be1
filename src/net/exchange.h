#pragma once

#include <array>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>

#include "net/loop.h"
#include "net/request_reader.h"

namespace dinette::net {

/// The HTTP side of one connection, free of sockets: its reader, its reply, and the bytes to send.
class Exchange {
 public:
  Exchange(Loop& loop, std::string remote, bool secure);

  RequestReader& reader() { return reader_; }

  /// Runs the handler on the complete request. On any thread; nothing else touches the exchange meanwhile.
  /// Returns false if it has to be run again where it may wait.
  bool call_handler(bool may_wait);
  /// Makes the reply a 500, because the handler failed or cannot be run, and logs why.
  void fail(std::string_view what);
  /// Renders the reply to the complete request. On the loop's thread, as all else.
  void render_reply();
  void render_refusal(Refusal refusal);
  void render_continue();

  /// What to send: head and body.
  std::array<boost::asio::const_buffer, 2> output() const;
  /// The same as one piece, by copying a small body behind the head.
  void flatten_output();

  /// Whether the output is but a "100 Continue".
  bool interim() const { return interim_; }
  bool keep_alive() const { return keep_alive_; }
  /// Whether it is the server who wants to close, so that the client may be sending still.
  bool closes_early() const { return closes_early_; }

  /// Drops the reply, which is sent.
  void clear_reply();
  /// Gives back memory that a large reply needed.
  void trim_reply();

 private:
  void forget_first_call();

  Loop& loop_;
  const std::string remote_;
  RequestReader reader_;
  HttpReply reply_;
  std::string head_;
  bool send_body_ = false;
  bool interim_ = false;
  bool keep_alive_ = true;
  bool closes_early_ = false;
};

}  // namespace dinette::net
