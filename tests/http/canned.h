#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/tcp/server.h"

namespace dinette::http {

/// A server that waits for the end of a request's head, or for another text, and always sends the same bytes.
class Canned final : public tcp::ProtocolFactory {
 public:
  /// `ending`: what it does after the response; none leaves the connection open. `until`: what it waits for;
  /// empty: any bytes.
  Canned(std::string answer, tcp::Ending ending, std::string_view until = "\r\n\r\n")
      : answer_(std::move(answer)), ending_(ending), until_(until) {
    const auto started = server_.start();
    if (!started) FAIL(started.error());
    port_ = *started;
  }

  std::uint16_t port() const { return port_; }
  /// Returns the bytes of the last request that was answered.
  std::string request() const {
    const std::lock_guard lock(mutex_);
    return request_;
  }

  std::unique_ptr<tcp::Protocol> make(tcp::Link&, tcp::Peer) override {
    return std::make_unique<Connection>(*this);
  }
  std::string turn_away(const tcp::Peer&) override { return ""; }
  std::string_view alpn() const override { return ""; }

 private:
  class Connection final : public tcp::Protocol {
   public:
    explicit Connection(Canned& server) : server_(server) {}

    tcp::State resume() override { return {.reads = true}; }
    std::span<char> room() override { return room_; }
    tcp::State received(std::size_t n) override {
      request_.append(room_.data(), n);
      if (request_.find(server_.until_) == std::string::npos)
        return {.activity = tcp::Activity::head, .reads = true};
      const std::lock_guard lock(server_.mutex_);
      server_.request_ = std::exchange(request_, "");
      return {.activity = tcp::Activity::working, .writes = true};
    }
    tcp::Output output() override { return {server_.answer_, ""}; }
    tcp::State sent() override { return {.reads = true, .ending = server_.ending_}; }
    tcp::State refuse(tcp::Cutoff) override { return {}; }
    void drain() override {}
    std::size_t memory() const override { return 0; }
    void trim() override {}

   private:
    Canned& server_;
    std::array<char, 1024> room_;
    std::string request_;
  };

  const std::string answer_;
  const tcp::Ending ending_;
  const std::string until_;
  mutable std::mutex mutex_;
  std::string request_;
  tcp::Server server_{{.threads = 1}, *this};
  std::uint16_t port_ = 0;
};

}  // namespace dinette::http
