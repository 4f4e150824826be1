#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "dinette/base/event_loop.h"

namespace dinette::tcp {

/// A context as the event loop of the thread that runs it.
class Events final : public base::EventLoop {
 public:
  /// `context` must outlive it.
  explicit Events(boost::asio::io_context& context) : context_(context) {}

  void later(std::function<void()> action) override;
  std::unique_ptr<Watch> watch(int socket) override;

  /// Ends all waits, and those that begin later at once, so that the context has nothing left to do.
  void end();

 private:
  class SocketWatch;

  boost::asio::io_context& context_;
  std::vector<SocketWatch*> watches_;
  bool ended_ = false;
};

}  // namespace dinette::tcp
