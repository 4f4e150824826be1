#pragma once

#include <string>

#include "dinette/base/pending.h"
#include "dinette/http/server.h"
#include "dinette/tcp/protocol.h"

#include "http/protocol_mixups.h"
#include "http/request_reader.h"

namespace dinette::http {

/// HTTP/1.1 and 1.0: one request at a time, answered before the next is read.
class Http1Factory final : public tcp::ProtocolFactory {
 public:
  Http1Factory(const ServerOptions& options, Handler handler);

  std::unique_ptr<tcp::Protocol> make(tcp::Link& link, tcp::Peer peer) override;
  std::string turn_away(const tcp::Peer& peer) override;
  std::string_view alpn() const override { return "http/1.1"; }

 private:
  const ServerOptions& options_;
  const Handler handler_;
  ProtocolMixups mixups_;
};

class Http1 final : public tcp::Protocol {
 public:
  /// The options, the handler and the mix-ups must outlive the object.
  Http1(const ServerOptions& options, const Handler& handler, ProtocolMixups& mixups, tcp::Link& link,
        tcp::Peer peer);

  tcp::State resume() override { return follow(next_); }
  std::span<char> room() override;
  tcp::State received(std::size_t n) override;
  tcp::Output output() override;
  tcp::State sent() override;
  tcp::State refuse(tcp::Cutoff why) override;
  void drain() override { draining_ = true; }
  std::size_t memory() const override;
  void trim() override;

 private:
  using State = tcp::State;

  State follow(ReadState state);
  State await_bytes();
  State answer();
  State run();
  bool answer_here();
  State wait_for(base::Pending& pending);
  bool hand_over();
  bool call_handler(bool may_wait);
  void forget_first_call();
  void fail(std::string_view what);

  State respond();
  State end_without_response();
  State defer();
  State go_on();
  State refuse(Refusal refusal);
  State send_response();
  State read_rest();
  void call_rest();
  State send_rest();
  State send_continue();
  State sending(tcp::Activity activity);
  State in_turn(ReadState next);
  State state(tcp::Activity activity) const;
  void clear_response();

  const ServerOptions& options_;
  const Handler& handler_;
  ProtocolMixups& mixups_;
  tcp::Link& link_;
  const std::string remote_;
  const bool secure_;
  RequestReader reader_;
  Response response_;
  base::PendingWork pending_;  ///< of the request
  std::string head_;
  ReadState next_ = ReadState::need_bytes;  ///< what resume() continues with
  std::uint32_t requests_ = 0;
  std::uint64_t left_ = 0;  ///< bytes of the response that are not in its body yet
  bool room_in_use_ = false;
  bool awaiting_ = false;      ///< bytes of a request
  bool sending_ = false;       ///< head_ is to be sent
  bool send_body_ = false;     ///< ... and after it the body of response_
  bool interim_ = false;       ///< the output is only a "100 Continue"
  bool keep_alive_ = true;     ///< after the output
  bool closes_early_ = false;  ///< the server wants to close, so the client may still be sending
  bool draining_ = false;
};

}  // namespace dinette::http
