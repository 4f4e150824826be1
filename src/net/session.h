#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include "dinette/base/log.h"

#include "net/connection.h"
#include "net/exchange.h"
#include "net/loop.h"

namespace dinette::net {

/// One connection over a transport, which is a class with
///   static constexpr bool kSecure;                         // is it TLS?
///   void async_handshake(F);                   // F(error_code)
///   void async_read(std::span<char>, F);       // F(error_code, size_t): some bytes
///   std::size_t try_write(const Buffers&);     // writes what goes without waiting; 0 if it cannot tell
///   void async_write(const Buffers&, F);       // F(error_code, size_t): all bytes
///   void half_close();                         // tells the peer that nothing follows, while reading goes on
///   void finish(F);                            // says goodbye; F() when that is done
///   void close();                              // outstanding operations end with an error
/// Everything happens on the loop's thread, but the handler if there are workers. Each callback holds the
/// session.
template <class Transport>
class Session final : public Connection, public std::enable_shared_from_this<Session<Transport>> {
 public:
  Session(Transport transport, Loop& loop, std::string remote)
      : loop_(loop),
        transport_(std::move(transport)),
        exchange_(loop, std::move(remote), Transport::kSecure) {}

  void start() override {
    enter(Phase::handshake);
    guarded([this] {
      transport_.async_handshake([self = this->shared_from_this()](const Error& ec) {
        self->guarded([&] { self->on_handshake(ec); });
      });
    });
  }

  void sweep(SteadyTime now) override {
    const Limits& limits = loop_.shared().options.limits;
    const auto waited = now - since_;
    switch (phase_) {
      case Phase::idle:
        if (waited >= limits.idle_deadline) return close();
        return exchange_.trim_reply();
      case Phase::reading:
        if (waited >= limits.request_deadline) refuse(Refusal::too_slow);
        return;
      case Phase::handshake:
      case Phase::writing:
        if (waited >= limits.request_deadline) close();
        return;
      case Phase::parting:
        if (waited >= kPartingTime) close();
        return;
      case Phase::handling:
      case Phase::closed:
        return;
    }
  }

  void drain() override {
    if (phase_ == Phase::idle || phase_ == Phase::handshake || phase_ == Phase::parting) close();
  }

  void cut() override { close(); }

 private:
  using Error = boost::system::error_code;

  enum class Phase {
    handshake,
    idle,      ///< No byte of a request is here.
    reading,   ///< A part of a request is here.
    handling,  ///< With the handler.
    writing,   ///< The client has not taken the reply yet.
    parting,   ///< The last reply is sent; waiting for the client to see it and close.
    closed
  };

  /// A client that is refused in the middle of a body sees the answer only if the rest of the body is taken
  /// in: a socket closed over unread bytes throws the answer away. So it is read and dropped, to these
  /// limits.
  static constexpr std::chrono::seconds kPartingTime{5};
  static constexpr std::size_t kPartingBytes = 64 * 1024 * 1024;

  void enter(Phase phase) {
    phase_ = phase;
    since_ = loop_.now();
  }

  /// An exception ends this connection and no other.
  template <class F>
  void guarded(F action) {
    try {
      action();
    } catch (const std::exception& e) {
      close();
      base::log(base::LogLevel::error, "connection closed by an exception", {{"what", e.what()}});
    }
  }

  void on_handshake(const Error& ec) {
    if (phase_ != Phase::handshake) return;
    if (ec || loop_.draining()) return close();
    enter(Phase::idle);
    read();
  }

  void read() {
    read_waits_ = true;
    transport_.async_read(exchange_.reader().room(),
                          [self = this->shared_from_this()](const Error& ec, std::size_t n) {
                            self->read_waits_ = false;
                            self->guarded([&] { self->on_read(ec, n); });
                          });
  }

  void on_read(const Error& ec, std::size_t n) {
    switch (phase_) {
      case Phase::idle:
      case Phase::reading:
        if (ec) return close();
        if (phase_ == Phase::idle) enter(Phase::reading);
        return go_on(exchange_.reader().received(n));
      case Phase::parting:
        dropped_ += n;
        return ec || dropped_ > kPartingBytes ? close() : read();
      case Phase::writing:  // A refusal by deadline is on its way; `part` reads on.
      case Phase::handshake:
      case Phase::handling:
      case Phase::closed:
        return;
    }
  }

  /// Answers the requests that are here, in their order, then reads on.
  void go_on(ReadState state) {
    for (;;) {
      switch (state) {
        case ReadState::need_bytes:
          return await_bytes();
        case ReadState::refused:
          return refuse(exchange_.reader().refusal());
        case ReadState::need_continue:
          exchange_.render_continue();
          break;
        case ReadState::complete:
          enter(Phase::handling);
          if (!answer_here() && hand_over()) return;
          exchange_.render_reply();
          break;
      }
      if (!send()) return;
      if (!after_send(state)) return;
    }
  }

  void await_bytes() {
    if (!exchange_.reader().started()) {
      if (loop_.draining()) return close();
      enter(Phase::idle);
    }
    read();
  }

  /// Runs the handler on this thread. Returns false if it has to run where it may wait.
  bool answer_here() { return loop_.shared().options.workers == 0 && exchange_.call_handler(false); }

  /// Lets a worker run the handler; `on_handled` follows. Returns false if there is no worker to be had: the
  /// reply is then a 500.
  bool hand_over() {
    try {
      loop_.shared().workers->run([self = this->shared_from_this()] {
        self->exchange_.call_handler(true);
        boost::asio::post(self->loop_.context(), [self] { self->guarded([&] { self->on_handled(); }); });
      });
      return true;
    } catch (const std::exception& e) {
      exchange_.fail(e.what());
      return false;
    }
  }

  void on_handled() {
    if (phase_ != Phase::handling) return;
    exchange_.render_reply();
    if (send()) on_sent();
  }

  void refuse(Refusal refusal) {
    exchange_.render_refusal(refusal);
    if (send()) on_sent();
  }

  /// Sends the output. False: the rest goes when the client takes it, and `on_sent` follows.
  bool send() {
    if constexpr (Transport::kSecure) exchange_.flatten_output();
    auto output = exchange_.output();
    std::size_t sent = transport_.try_write(output);
    if (sent == output[0].size() + output[1].size()) return true;
    for (auto& buffer : output) {
      const std::size_t step = std::min(sent, buffer.size());
      buffer += step;
      sent -= step;
    }
    enter(Phase::writing);
    transport_.async_write(output, [self = this->shared_from_this()](const Error& ec, std::size_t) {
      self->guarded([&] {
        if (self->phase_ != Phase::writing) return;
        ec ? self->close() : self->on_sent();
      });
    });
    return false;
  }

  void on_sent() {
    ReadState state{};
    if (after_send(state)) go_on(state);
  }

  /// What follows the output, which is sent. False: nothing.
  bool after_send(ReadState& state) {
    if (exchange_.interim()) {
      enter(Phase::reading);
      state = exchange_.reader().resume();
      return true;
    }
    exchange_.clear_reply();
    if (!exchange_.keep_alive()) {
      part();
      return false;
    }
    enter(Phase::reading);
    state = exchange_.reader().next();
    return true;
  }

  void part() {
    enter(Phase::parting);
    if (exchange_.closes_early() && !loop_.draining()) {
      transport_.half_close();
      if (!read_waits_) read();
      return;
    }
    transport_.finish([self = this->shared_from_this()] { self->close(); });
  }

  void close() {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::closed;
    transport_.close();
    loop_.forget(*this);
  }

  Loop& loop_;
  Transport transport_;
  Exchange exchange_;
  Phase phase_ = Phase::handshake;
  SteadyTime since_{};  ///< When the phase began.
  bool read_waits_ = false;
  std::size_t dropped_ = 0;
};

}  // namespace dinette::net
