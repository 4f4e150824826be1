#include "dinette/http/server.h"

#include <utility>

#include "http/http1.h"

namespace dinette::http {

class Server::Impl {
 public:
  Impl(ServerOptions options, Handler handler)
      : options_(std::move(options)),
        protocols_(options_, std::move(handler)),
        tcp_(options_.tcp, protocols_) {}

  tcp::Server& tcp() { return tcp_; }

 private:
  const ServerOptions options_;
  Http1Factory protocols_;
  tcp::Server tcp_;
};

Server::Server(ServerOptions options, Handler handler)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(handler))) {}

Server::~Server() = default;

void Server::listen(tcp::PortOptions options, tcp::ProtocolFactory& protocols) {
  impl_->tcp().listen(std::move(options), protocols);
}

base::Result<std::uint16_t, std::string> Server::start() {
  return impl_->tcp().start();
}

void Server::stop(std::chrono::milliseconds deadline) {
  impl_->tcp().stop(deadline);
}

std::vector<std::string> Server::addresses() const {
  return impl_->tcp().addresses();
}

std::vector<std::uint16_t> Server::ports() const {
  return impl_->tcp().ports();
}

std::size_t Server::open_connections() const {
  return impl_->tcp().open_connections();
}

tcp::ConnectionCounts Server::connections() const {
  return impl_->tcp().connections();
}

void Server::sweep_now() {
  impl_->tcp().sweep_now();
}

}  // namespace dinette::http
