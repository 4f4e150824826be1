#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "net/connection.h"
#include "net/loop.h"

namespace dinette::net {

/// Connections of the two kinds, one translation unit each.
std::shared_ptr<Connection> make_plain_session(LoopSocket socket, Loop& loop, std::string remote);
std::shared_ptr<Connection> make_tls_session(LoopSocket socket, Loop& loop, std::string remote,
                                             boost::asio::ssl::context& tls);

}  // namespace dinette::net
