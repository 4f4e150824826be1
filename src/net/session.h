#pragma once

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <optional>
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
///   bool fall_back(error_code);                // goes on without TLS if that is what the client speaks
///   void async_read(std::span<char>, F);       // F(error_code, size_t): some bytes
///   bool readable();                           // bytes have arrived
///   std::size_t try_write(const Buffers&);     // writes what goes without waiting; 0 if it cannot tell
///   void async_write_some(const Buffers&, F);  // F(error_code, size_t): some bytes
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
        exchange_(loop, std::move(remote), Transport::kSecure),
        held_(loop) {}

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
        if (waited >= (used_ ? limits.idle_deadline : limits.first_byte_deadline)) return close();
        if (loop_.draining() && !transport_.readable()) return close();
        return exchange_.trim_reply();
      case Phase::reading:
        if (waited >= reading_deadline(limits)) refuse(Refusal::too_slow);
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

  /// A request that has arrived is answered, and its reply says that it is the last one.
  void drain() override {
    const bool waiting = phase_ == Phase::idle || phase_ == Phase::handshake || phase_ == Phase::parting;
    if (waiting && !(phase_ == Phase::idle && transport_.readable())) close();
  }

  void cut() override { close(); }

  std::optional<Idle> idle() const override {
    if (phase_ != Phase::idle) return std::nullopt;
    return Idle{.used = used_, .since = since_};
  }

  std::size_t held() const override { return held_.bytes(); }

  void give_way() override {
    // What is being read into must not be freed.
    if (phase_ != Phase::reading || read_waits_) return close();
    refuse(Refusal::out_of_memory);
  }

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

  /// A reply may take the client as long as it likes, as long as it takes this much within each deadline.
  static constexpr std::size_t kProgressBytes = 64 * 1024;

  /// How long a stopping server waits for the rest of a head; with the interval of sweeps it makes a second.
  static constexpr std::chrono::milliseconds kDrainedHeadTime{500};

  std::chrono::milliseconds reading_deadline(const Limits& limits) {
    return loop_.draining() && !exchange_.reader().head_complete() ? kDrainedHeadTime
                                                                   : limits.request_deadline;
  }

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
    if (ec && transport_.fall_back(ec)) return refuse(Refusal::plain_to_tls);
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

  /// Answers the request that is here, then reads on.
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
          used_ = true;
          if (!answer_here() && hand_over()) return;
          exchange_.render_reply();
          break;
      }
      if (!send()) return;
      if (!after_send(state)) return;
      if (state != ReadState::need_bytes) return yield(state);
    }
  }

  /// Gives the other connections of the loop, and a stopping server, their turn before the next request that
  /// is here.
  void yield(ReadState state) {
    boost::asio::post(loop_.context(), [self = this->shared_from_this(), state] {
      self->guarded([&] {
        if (self->phase_ == Phase::reading) self->go_on(state);
      });
    });
  }

  void await_bytes() {
    if (!exchange_.reader().started()) {
      if (loop_.draining()) return close();
      enter(Phase::idle);
    }
    if (hold(exchange_.reader().memory())) read();
  }

  /// Counts what is kept while the client is waited for. False: the connection has to give way for it.
  bool hold(std::size_t bytes) {
    const Phase phase = phase_;
    if (held_.set(bytes)) loop_.relieve();
    return phase_ == phase;
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
    if (!read_waits_) exchange_.reader().abandon();
    exchange_.render_refusal(refusal);
    if (send()) on_sent();
  }

  /// Sends the output. False: the rest goes when the client takes it, and `on_sent` follows.
  bool send() {
    if constexpr (Transport::kSecure) exchange_.flatten_output();
    Output output = exchange_.output();
    const std::size_t size = output[0].size() + output[1].size();
    const std::size_t sent = transport_.try_write(output);
    if (sent == size) return true;
    enter(Phase::writing);
    taken_ = 0;
    drop(output, sent);
    if (hold(exchange_.reader().memory() + size)) write(output);
    return false;
  }

  using Output = std::array<boost::asio::const_buffer, 2>;

  static void drop(Output& output, std::size_t bytes) {
    for (auto& buffer : output) {
      const std::size_t step = std::min(bytes, buffer.size());
      buffer += step;
      bytes -= step;
    }
  }

  void write(Output output) {
    transport_.async_write_some(output,
                                [self = this->shared_from_this(), output](const Error& ec, std::size_t n) {
                                  self->guarded([&] { self->on_written(ec, n, output); });
                                });
  }

  void on_written(const Error& ec, std::size_t n, Output output) {
    if (phase_ != Phase::writing) return;
    if (ec) return close();
    drop(output, n);
    if (output[0].size() + output[1].size() == 0) return on_sent();
    if ((taken_ += n) >= kProgressBytes) {
      taken_ = 0;
      enter(Phase::writing);
    }
    write(output);
  }

  void on_sent() {
    held_.set(0);
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
    held_.set(0);
    transport_.close();
    loop_.forget(*this);
  }

  Loop& loop_;
  Transport transport_;
  Exchange exchange_;
  Phase phase_ = Phase::handshake;
  SteadyTime since_{};  ///< When the phase began.
  Held held_;
  bool used_ = false;  ///< A request has arrived.
  bool read_waits_ = false;
  std::size_t taken_ = 0;  ///< Of a reply, in this deadline.
  std::size_t dropped_ = 0;
};

}  // namespace dinette::net
