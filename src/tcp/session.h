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
#include "dinette/tcp/protocol.h"

#include "tcp/connection.h"
#include "tcp/loop.h"
#include "tcp/mailbox.h"

namespace dinette::tcp {

/// One connection: a protocol over a transport, which is a class with
///   static constexpr bool secure;              // is it TLS?
///   void async_handshake(F);                   // F(error_code)
///   bool fall_back(error_code);                // continues without TLS if the client does not speak it
///   void async_read(std::span<char>, F);       // F(error_code, size_t): some bytes
///   bool readable();                           // bytes have arrived
///   std::size_t try_write(const Buffers&);     // writes what it can without waiting; 0 if unknown
///   void async_write_some(const Buffers&, F);  // F(error_code, size_t): some bytes
///   void half_close();                         // tells the peer that nothing follows; reading continues
///   void finish(F);                            // ends the transport in order; F() when done
///   void close();                              // outstanding operations end with an error
/// Everything runs on the loop's thread, except work that the protocol gives to workers. Each callback holds
/// the session.
template <class Transport>
class Session final : public Connection,
                      public Link,
                      public std::enable_shared_from_this<Session<Transport>> {
 public:
  Session(Transport transport, Loop& loop, ProtocolFactory& protocols, std::string remote)
      : loop_(loop),
        transport_(std::move(transport)),
        protocol_(protocols.make(*this, {std::move(remote), Transport::secure})),
        held_(loop) {}

  ~Session() override {
    if (mailbox_) mailbox_->close();
  }

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
    switch (phase_) {
      case Phase::open:
        return sweep_open(now, limits);
      case Phase::handshake:
        if (now - since_ >= limits.request_deadline) close();
        return;
      case Phase::refusing:
        if (now - written_since_ >= limits.request_deadline) close();
        return;
      case Phase::parting:
        if (now - since_ >= parting_time) close();
        return;
      case Phase::closed:
        return;
    }
  }

  /// Requests that have arrived are answered. The protocol may say in its response that it is the last.
  void drain() override {
    protocol_->drain();
    const bool waiting = phase_ == Phase::handshake || phase_ == Phase::parting;
    if (waiting || (is_idle() && !transport_.readable())) close();
  }

  void cut() override { close(); }

  std::optional<Idle> idle() const override {
    if (!is_idle()) return std::nullopt;
    return Idle{.used = state_.requests != 0, .since = since_};
  }

  std::size_t held() const override { return held_.bytes(); }

  void give_way() override {
    // The buffer of the current read must not be freed.
    if (phase_ != Phase::open || read_waits_ || state_.activity == Activity::working) return close();
    refuse(Cutoff::out_of_memory);
  }

  void run(std::function<void()> work, Action done) override {
    loop_.shared().workers->run(
        [self = this->shared_from_this(), work = std::move(work), done = std::move(done)]() mutable {
          self->guarded_elsewhere(work) ? self->deliver(std::move(done)) : self->deliver_end();
        });
  }

  Post post() override {
    if (!mailbox_)
      mailbox_ = std::make_shared<Mailbox>([this](Action action) { deliver(std::move(action)); });
    return [mailbox = mailbox_](Action action) { return mailbox->put(std::move(action)); };
  }

 private:
  using Error = boost::system::error_code;
  using Buffers = std::array<boost::asio::const_buffer, 2>;

  enum class Phase {
    handshake,
    open,      ///< the protocol is in charge
    refusing,  ///< the protocol's last output is being sent, after a Cutoff
    parting,   ///< the last output is sent; waiting for the client to close
    closed
  };

  /// A client that is refused in the middle of a request sees the response only if the rest of the request is
  /// read: closing a socket with unread bytes discards the response. So the rest is read and dropped, up to
  /// these limits.
  static constexpr std::chrono::seconds parting_time{5};
  static constexpr std::size_t parting_bytes = 64 * 1024 * 1024;
  using Waste = std::array<char, 16 * 1024>;

  /// A client may take its time to receive output, provided it takes this much within each deadline.
  static constexpr std::size_t progress_bytes = 64 * 1024;

  /// How long a stopping server waits for the rest of a request's beginning; together with the sweep
  /// interval, a second.
  static constexpr std::chrono::milliseconds drained_head_time{500};

  bool is_idle() const { return phase_ == Phase::open && state_.activity == Activity::idle && !writing_; }

  void sweep_open(SteadyTime now, const Limits& limits) {
    if (writing_ && now - written_since_ >= limits.request_deadline) return close();
    const auto waited = now - since_;
    switch (state_.activity) {
      case Activity::idle:
        if (writing_) return;
        if (waited >= (state_.requests != 0 ? limits.idle_deadline : limits.first_byte_deadline))
          return close();
        if (loop_.draining() && !transport_.readable()) return close();
        return protocol_->trim();
      case Activity::head:
      case Activity::body:
        if (state_.reads && waited >= reading_deadline(limits)) refuse(Cutoff::too_slow);
        return;
      case Activity::working:
        return;
    }
  }

  std::chrono::milliseconds reading_deadline(const Limits& limits) const {
    return loop_.draining() && state_.activity == Activity::head ? drained_head_time
                                                                 : limits.request_deadline;
  }

  void enter(Phase phase) {
    phase_ = phase;
    since_ = loop_.now();
  }

  /// An exception ends only this connection.
  template <class F>
  void guarded(F action) {
    try {
      action();
    } catch (const std::exception& e) {
      close();
      base::log(base::LogLevel::error, "connection closed by an exception", {{"what", e.what()}});
    }
  }

  /// Runs on a worker thread. Returns false if `work` throws.
  static bool guarded_elsewhere(const std::function<void()>& work) {
    try {
      work();
      return true;
    } catch (const std::exception& e) {
      base::log(base::LogLevel::error, "connection closed by an exception", {{"what", e.what()}});
    } catch (...) {
      base::log(base::LogLevel::error, "connection closed by an exception",
                {{"what", "not a std::exception"}});
    }
    return false;
  }

  /// May be called on any thread, while the session is held.
  void deliver(Action action) {
    boost::asio::post(loop_.context(), [self = this->shared_from_this(), action = std::move(action)] {
      self->guarded([&] {
        if (self->phase_ == Phase::open) self->follow(action());
      });
    });
  }

  void deliver_end() {
    boost::asio::post(loop_.context(), [self = this->shared_from_this()] { self->close(); });
  }

  void on_handshake(const Error& ec) {
    if (phase_ != Phase::handshake) return;
    if (ec && transport_.fall_back(ec)) return refuse(Cutoff::not_tls);
    if (ec || loop_.draining()) return close();
    enter(Phase::open);
    follow(protocol_->resume());
  }

  /// Does what the protocol asked for.
  void follow(const State& state) {
    note(state);
    while (state_.writes && !writing_) {
      if (send()) note(protocol_->sent());
    }
    if (!writing_ && (state_.ending != Ending::none || phase_ == Phase::refusing)) return part();
    if (state_.more && !yielded_) yield();
    if (loop_.draining() && is_idle()) return close();
    if (hold() && state_.reads && !read_waits_) read();
  }

  /// Starts the deadline of the next request when one has arrived, and when the client may send again.
  void note(const State& state) {
    const bool begins = (state.activity == Activity::idle) != (state_.activity == Activity::idle) ||
                        state.requests != state_.requests || (state.reads && !state_.reads);
    if (begins) since_ = loop_.now();
    state_ = state;
  }

  /// Lets the loop's other connections, and a stopping server, have their turn before the next request.
  void yield() {
    yielded_ = true;
    boost::asio::post(loop_.context(), [self = this->shared_from_this()] {
      self->yielded_ = false;
      self->guarded([&] {
        if (self->phase_ == Phase::open) self->follow(self->protocol_->resume());
      });
    });
  }

  /// Counts the memory kept while waiting for the client. Returns false if the connection must end to free
  /// it.
  bool hold() {
    const Phase phase = phase_;
    if (held_.set(protocol_->memory())) loop_.relieve();
    return phase_ == phase;
  }

  void read() {
    read_waits_ = true;
    transport_.async_read(protocol_->room(),
                          [self = this->shared_from_this()](const Error& ec, std::size_t n) {
                            self->read_waits_ = false;
                            self->guarded([&] { self->on_read(ec, n); });
                          });
  }

  void on_read(const Error& ec, std::size_t n) {
    switch (phase_) {
      case Phase::open:
        return ec ? close() : follow(protocol_->received(n));
      case Phase::parting:
        dropped_ += n;
        return ec || dropped_ > parting_bytes ? close() : read_and_drop();
      case Phase::refusing:  // `part` continues to read
      case Phase::handshake:
      case Phase::closed:
        return;
    }
  }

  void read_and_drop() {
    if (!waste_) waste_ = std::make_unique<Waste>();
    transport_.async_read(*waste_, [self = this->shared_from_this()](const Error& ec, std::size_t n) {
      self->guarded([&] { self->on_read(ec, n); });
    });
  }

  /// Sends the output. Returns false if the client has not taken all of it; `on_written` follows.
  bool send() {
    const Output output = protocol_->output();
    Buffers buffers{boost::asio::buffer(output.first), boost::asio::buffer(output.second)};
    const std::size_t sent = transport_.try_write(buffers);
    if (sent == output.first.size() + output.second.size()) return true;
    writing_ = true;
    written_since_ = loop_.now();
    taken_ = 0;
    drop(buffers, sent);
    write(buffers);
    return false;
  }

  static void drop(Buffers& buffers, std::size_t bytes) {
    for (auto& buffer : buffers) {
      const std::size_t step = std::min(bytes, buffer.size());
      buffer += step;
      bytes -= step;
    }
  }

  void write(const Buffers& buffers) {
    transport_.async_write_some(buffers,
                                [self = this->shared_from_this(), buffers](const Error& ec, std::size_t n) {
                                  self->guarded([&] { self->on_written(ec, n, buffers); });
                                });
  }

  void on_written(const Error& ec, std::size_t n, Buffers buffers) {
    if (phase_ != Phase::open && phase_ != Phase::refusing) return;
    if (ec) return close();
    drop(buffers, n);
    if (buffers[0].size() + buffers[1].size() == 0) {
      writing_ = false;
      if (is_idle()) since_ = loop_.now();
      return follow(protocol_->sent());
    }
    if ((taken_ += n) >= progress_bytes) {
      taken_ = 0;
      written_since_ = loop_.now();
    }
    write(buffers);
  }

  void refuse(Cutoff why) {
    if (writing_) return close();
    enter(Phase::refusing);
    follow(protocol_->refuse(why));
  }

  void part() {
    enter(Phase::parting);
    held_.set(0);
    if (state_.ending == Ending::linger && !loop_.draining()) {
      transport_.half_close();
      if (!read_waits_) read_and_drop();
      return;
    }
    transport_.finish([self = this->shared_from_this()] { self->close(); });
  }

  void close() {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::closed;
    held_.set(0);
    if (mailbox_) mailbox_->close();
    transport_.close();
    loop_.forget(*this);
  }

  Loop& loop_;
  Transport transport_;
  const std::unique_ptr<Protocol> protocol_;
  Held held_;
  State state_;
  Phase phase_ = Phase::handshake;
  SteadyTime since_{};          ///< when the phase, or the wait for the client's next request, began
  SteadyTime written_since_{};  ///< when the client last took enough of the output
  std::size_t taken_ = 0;       ///< of the output, since then
  bool writing_ = false;
  bool read_waits_ = false;
  bool yielded_ = false;
  std::size_t dropped_ = 0;
  std::unique_ptr<Waste> waste_;
  std::shared_ptr<Mailbox> mailbox_;
};

}  // namespace dinette::tcp
