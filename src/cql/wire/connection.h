#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "dinette/base/pending.h"
#include "dinette/tcp/protocol.h"

#include "cql/frames/compression.h"
#include "cql/wire/endpoint.h"
#include "cql/wire/frame_reader.h"

namespace dinette::cql::wire {

/// One connection of the native protocol: the log-in, requests in flight, events
/// (docs/service-keyspaces/protocol.md sections 1, 4 and 10). Requests are answered on the loop, or, if they
/// have to wait or are long, on a worker; replies come in any order.
class Connection final : public tcp::Protocol {
 public:
  /// More requests than these wait in the socket until others are answered.
  static constexpr std::size_t most_in_flight = 128;
  /// So do requests while those that workers answer have this many bytes.
  static constexpr std::size_t most_bytes_in_flight = 64 * 1024 * 1024;
  /// So do requests while the client does not take this many bytes of replies.
  static constexpr std::size_t most_unsent = 1024 * 1024;

  Connection(Endpoint& endpoint, tcp::Link& link, tcp::Peer peer);
  ~Connection() override;

  tcp::State resume() override { return go_on(); }
  std::span<char> room() override { return reader_.room(); }
  tcp::State received(std::size_t n) override;
  tcp::Output output() override;
  tcp::State sent() override;
  tcp::State refuse(tcp::Cutoff why) override;
  void drain() override {}
  std::size_t memory() const override {
    return reader_.memory() + bytes_in_flight_ + sending_.capacity() + unsent_.capacity();
  }
  void trim() override;

 private:
  enum class Phase : std::uint8_t { startup, log_in, ready };

  tcp::State go_on();
  template <class Change>
  void change_client(Change change);
  tcp::State state() const;
  bool may_begin() const;
  void begin(Frame frame);
  std::size_t longest_frame() const;
  Answer<void> unpack(Frame& frame) const;
  Answer<void> check_phase(frames::Opcode opcode) const;
  void serve(const std::shared_ptr<Call>& call);
  Answer<Reply> answer_here(Call& call);
  Answer<Reply> start(const frames::Startup& startup);
  Answer<Reply> log_in(const frames::AuthResponse& response);
  Answer<Reply> subscribe(const frames::Register& wanted);
  void answer_with_data(const std::shared_ptr<Call>& call);
  void answer_later(const std::shared_ptr<Call>& call);
  void answer_when_due(const std::shared_ptr<Call>& call, base::Pending& pending);
  std::function<void()> leave(const std::shared_ptr<Call>& call);
  void finish(const Call& call);
  void send(std::int16_t stream, frames::Opcode opcode, std::string_view body,
            std::span<const std::string> warnings = {});
  void send_error(std::int16_t stream, const Error& error, frames::Consistency level = {});
  void follow(const Endpoint::Source& source);
  void stop_following();
  tcp::State push(const std::string& body);

  Endpoint& endpoint_;
  tcp::Link& link_;
  FrameReader reader_{};
  LogIn log_in_;
  Phase phase_ = Phase::startup;
  frames::Compression compression_ = frames::Compression::none;  ///< of what follows its STARTUP
  std::shared_ptr<const Client> client_;                         ///< replaced when something of it changes
  std::string sending_{};                                        ///< what the socket has
  std::string unsent_{};                                         ///< what follows
  std::size_t in_flight_ = 0;
  std::size_t bytes_in_flight_ = 0;
  std::set<std::shared_ptr<Call>> left_{};  ///< of those in flight, what neither runs nor waits for a thread
  std::uint32_t requests_ = 0;
  tcp::Ending ending_ = tcp::Ending::none;

  bool wants_events_ = false;
  std::weak_ptr<tenancy::World> followed_{};  ///< the world whose events are sent
  WorldState::SubscriptionId subscription_ = 0;
};

}  // namespace dinette::cql::wire
