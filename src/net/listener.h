#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "dinette/base/result.h"

#include "net/loop.h"

namespace dinette::net {

/// The one acceptor of a server: takes connections on the first loop's thread and hands them round to all
/// loops.
class Listener {
 public:
  /// `tls` may be null. The loops and the context outlive the listener.
  Listener(std::vector<std::unique_ptr<Loop>>& loops, Shared& shared, boost::asio::ssl::context* tls);

  /// Binds; the port, or one sentence for the user.
  base::Result<std::uint16_t, std::string> open();
  /// Begins to accept. Before the loops run, or on the first loop's thread.
  void accept();
  /// On the first loop's thread.
  void close();

 private:
  void on_accepted(LoopSocket socket, Loop& loop);
  void refuse(LoopSocket& socket, std::string_view remote);
  void accept_later();

  std::vector<std::unique_ptr<Loop>>& loops_;
  Shared& shared_;
  boost::asio::ssl::context* tls_;
  boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, LoopExecutor> acceptor_;
  boost::asio::steady_timer retry_;
  std::size_t next_ = 0;
};

}  // namespace dinette::net
