#include "dinette/tcp/server.h"

#include <algorithm>
#include <exception>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>

#include "tcp/listener.h"
#include "tcp/loop.h"
#include "tcp/tls_context.h"

namespace dinette::tcp {

class Server::Impl {
 public:
  Impl(ServerOptions options, ProtocolFactory& protocols) {
    shared_.options = std::move(options);
    ports_.push_back({shared_.options.listen, &protocols});
    const unsigned eager = shared_.options.workers;
    shared_.workers = std::make_unique<Workers>(eager != 0 ? eager : shared_.options.waiters);
  }

  void listen(PortOptions options, ProtocolFactory& protocols) {
    const std::lock_guard lock(mutex_);
    ports_.push_back({std::move(options), &protocols});
  }

  base::Result<std::uint16_t, std::string> start() {
    const std::lock_guard lock(mutex_);
    const ServerOptions& options = shared_.options;
    for (Port& port : ports_) {
      if (!port.options.tls) continue;
      DINETTE_TRY(port.tls, make_tls_context(*port.options.tls, *port.protocols));
    }
    const unsigned count =
        options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    try {
      return serve(count);
    } catch (const std::exception& e) {
      abandon();
      return base::Failure{"Cannot start " + std::to_string(count + options.workers) + " threads (" +
                           e.what() + "): choose fewer, or allow the program more threads and open files."};
    }
  }

  void stop(std::chrono::milliseconds deadline) {
    const std::lock_guard lock(mutex_);
    if (threads_.empty()) return;
    listener_->close();
    on_each_loop([](Loop& loop) { loop.drain(); });
    if (!shared_.connections.wait_for_zero(deadline)) on_each_loop([](Loop& loop) { loop.cut_all(); });
    shared_.workers->end();
    on_each_loop([](Loop& loop) { loop.finish(); });
    join(threads_);
  }

  const std::vector<std::string>& addresses() const { return addresses_; }
  const std::vector<std::uint16_t>& ports() const { return numbers_; }
  std::size_t open_connections() const { return shared_.connections.value(); }

  ConnectionCounts connections() const {
    return {.open = shared_.connections.value(),
            .accepted = shared_.accepted.load(),
            .refused = shared_.refused.load(),
            .held_bytes = shared_.held.load()};
  }

  void sweep_now() {
    const std::lock_guard lock(mutex_);
    if (!threads_.empty()) on_each_loop([](Loop& loop) { loop.sweep(); });
  }

 private:
  base::Result<std::uint16_t, std::string> serve(unsigned loops) {
    shared_.loops = loops;
    for (unsigned i = 0; i < loops; ++i) loops_.push_back(std::make_unique<Loop>(shared_));
    listener_ = std::make_unique<Listener>(loops_, shared_);
    for (const Port& port : ports_) {
      DINETTE_TRY(const Listener::Bound bound, listener_->open(port));
      numbers_.push_back(bound.port);
      if (addresses_.empty()) addresses_ = bound.addresses;
    }
    shared_.workers->start(shared_.options.workers);
    for (const auto& loop : loops_) threads_.emplace_back([&loop = *loop] { loop.run(); });
    listener_->start();
    return numbers_.front();
  }

  /// Ends the threads that were started before one failed to start.
  void abandon() {
    for (const auto& loop : loops_) loop->context().stop();
    join(threads_);
    shared_.workers->end();
  }

  static void join(std::vector<std::thread>& threads) {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }

  /// Runs `action` on each loop's thread and waits for all.
  template <class F>
  void on_each_loop(F action) {
    std::latch done(static_cast<std::ptrdiff_t>(loops_.size()));
    for (const auto& loop : loops_) {
      boost::asio::post(loop->context(), [&done, &loop = *loop, &action] {
        action(loop);
        done.count_down();
      });
    }
    done.wait();
  }

  // Destroyed in reverse: the listener before the loops, the loops before what they share.
  Shared shared_;
  std::vector<Port> ports_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<Listener> listener_;
  std::vector<std::string> addresses_;  ///< of the first port
  std::vector<std::uint16_t> numbers_;  ///< of the ports
  std::vector<std::thread> threads_;
  std::mutex mutex_;  ///< held while starting, stopping and sweeping
};

Server::Server(ServerOptions options, ProtocolFactory& protocols)
    : impl_(std::make_unique<Impl>(std::move(options), protocols)) {}

Server::~Server() {
  stop(std::chrono::milliseconds(0));
}

void Server::listen(PortOptions options, ProtocolFactory& protocols) {
  impl_->listen(std::move(options), protocols);
}

base::Result<std::uint16_t, std::string> Server::start() {
  return impl_->start();
}

void Server::stop(std::chrono::milliseconds deadline) {
  impl_->stop(deadline);
}

std::vector<std::string> Server::addresses() const {
  return impl_->addresses();
}

std::vector<std::uint16_t> Server::ports() const {
  return impl_->ports();
}

std::size_t Server::open_connections() const {
  return impl_->open_connections();
}

ConnectionCounts Server::connections() const {
  return impl_->connections();
}

void Server::sweep_now() {
  impl_->sweep_now();
}

}  // namespace dinette::tcp
