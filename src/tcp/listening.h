#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "dinette/base/result.h"

#include "tcp/loop.h"

namespace dinette::tcp {

using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, LoopExecutor>;

/// Listens on all of `addresses` (see ServerOptions), at one port; 0 = any that is free on all of them.
/// Returns at least one acceptor, or one sentence for the user.
base::Result<std::vector<Acceptor>, std::string> listen_on(const std::vector<std::string>& addresses,
                                                           std::uint16_t port,
                                                           boost::asio::io_context& context);

/// Returns "127.0.0.1:8000", also for an IPv4 client of a socket that accepts both families.
std::string text_of(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace dinette::tcp
