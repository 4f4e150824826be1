#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "tcp/connection.h"
#include "tcp/loop.h"

namespace dinette::tcp {

/// Connections of the two kinds, one translation unit each.
std::shared_ptr<Connection> make_plain_session(LoopSocket socket, Loop& loop, ProtocolFactory& protocols,
                                               std::string remote);
std::shared_ptr<Connection> make_tls_session(LoopSocket socket, Loop& loop, ProtocolFactory& protocols,
                                             std::string remote, boost::asio::ssl::context& tls);

}  // namespace dinette::tcp
