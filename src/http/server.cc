#include "dinette/http/server.h"

#include <utility>

#include "http/http1.h"

namespace dinette::http {

class Server::Impl {
 public:
  Impl(ServerOptions options, Handler handler)
      : first_(std::move(options), std::move(handler)), tcp_(first_.options.tcp, first_.protocols) {}

  tcp::Server& tcp() { return tcp_; }

  void listen(tcp::PortOptions port, ServerOptions options, Handler handler) {
    further_.push_back(std::make_unique<Port>(std::move(options), std::move(handler)));
    tcp_.listen(std::move(port), further_.back()->protocols);
  }

 private:
  /// What is served at a port.
  struct Port {
    Port(ServerOptions its_options, Handler handler)
        : options(std::move(its_options)), protocols(options, std::move(handler)) {}

    const ServerOptions options;
    Http1Factory protocols;
  };

  Port first_;
  std::vector<std::unique_ptr<Port>> further_;
  tcp::Server tcp_;
};

Server::Server(ServerOptions options, Handler handler)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(handler))) {}

Server::~Server() = default;

void Server::listen(tcp::PortOptions options, tcp::ProtocolFactory& protocols) {
  impl_->tcp().listen(std::move(options), protocols);
}

void Server::listen(tcp::PortOptions port, ServerOptions options, Handler handler) {
  impl_->listen(std::move(port), std::move(options), std::move(handler));
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
