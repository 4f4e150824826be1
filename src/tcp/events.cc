#include "tcp/events.h"

#include <cstdint>
#include <utility>

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

namespace dinette::tcp {

namespace asio = boost::asio;
using Error = boost::system::error_code;

class Events::SocketWatch final : public Watch {
 public:
  SocketWatch(Events& events, int socket) : events_(events) {
    // First, as nothing may fail once the descriptor has the socket: it would close it.
    events_.watches_.reserve(events_.watches_.size() + 1);
    state_ = std::make_shared<State>(events.context_, socket);
    events_.watches_.push_back(this);
  }
  ~SocketWatch() override {
    std::erase(events_.watches_, this);
    state_->stop();
    state_->socket.release();
  }

  void wait(bool to_write, Deadline deadline, std::function<void(bool ready)> action) override {
    state_->stop();
    state_->action = std::move(action);
    if (events_.ended_) return end();
    state_->await(Descriptor::wait_read);
    if (to_write) state_->await(Descriptor::wait_write);
    state_->await(deadline);
  }

  void end() {
    asio::post(events_.context_, [state = state_, turn = state_->turn] { state->finish(turn, false); });
  }

 private:
  using Descriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

  /// Kept by what is awaited, so that the callbacks of a wait that was replaced find its number.
  struct State : std::enable_shared_from_this<State> {
    State(asio::io_context& context, int number) : socket(context, number), timer(context) {}

    void await(Descriptor::wait_type what) {
      socket.async_wait(what, [self = shared_from_this(), of = turn](const Error& error) {
        if (error != asio::error::operation_aborted) self->finish(of, true);
      });
    }
    void await(Deadline deadline) {
      timer.expires_at(deadline);
      timer.async_wait([self = shared_from_this(), of = turn](const Error& error) {
        if (!error) self->finish(of, false);
      });
    }

    void finish(std::uint64_t of, bool ready) {
      if (of != turn || !action) return;
      const auto called = std::move(action);
      stop();
      called(ready);
    }

    /// Nothing of the wait is called from here on.
    void stop() {
      ++turn;
      action = nullptr;
      Error ignored;
      socket.cancel(ignored);
      timer.cancel();
    }

    Descriptor socket;
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                               asio::io_context::executor_type>
        timer;
    std::function<void(bool ready)> action;
    std::uint64_t turn = 0;
  };

  Events& events_;
  std::shared_ptr<State> state_;
};

void Events::later(std::function<void()> action) {
  asio::post(context_, std::move(action));
}

std::unique_ptr<base::EventLoop::Watch> Events::watch(int socket) {
  return std::make_unique<SocketWatch>(*this, socket);
}

void Events::end() {
  ended_ = true;
  for (SocketWatch* const watch : watches_) watch->end();
}

}  // namespace dinette::tcp
