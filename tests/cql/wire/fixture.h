#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/cql/service.h"
#include "dinette/tenancy/worlds.h"

namespace dinette::cql::test {

/// A frame that a server has sent.
struct SentFrame {
  int version = 0;
  int flags = 0;
  int stream = 0;
  int opcode = 0;
  std::string body;

  /// Of an ERROR: "2200 unconfigured table k.t"; else empty.
  std::string error() const;
  /// The number after the kind of a RESULT, or -1.
  int kind() const;
};

/// A connection without sockets. What its protocol hands to workers runs when the test says so, or at once.
class TestConnection final : public tcp::Link {
 public:
  explicit TestConnection(Service& service);

  /// Sends bytes, and returns all frames that the server has sent by now.
  std::vector<SentFrame> send(std::string_view bytes);
  /// Sends a request of version 4, and returns the one frame that answers it.
  SentFrame ask(int opcode, std::string_view body, int stream = 1);
  /// STARTUP, without a log-in.
  void start(std::string_view application = {});
  SentFrame query(std::string_view statement, int consistency = 1);
  /// Runs what other threads have posted, and returns the frames that came of it.
  std::vector<SentFrame> run_posted();

  tcp::Protocol& protocol() { return *protocol_; }
  const tcp::State& state() const { return state_; }

  void run(std::function<void()> work, tcp::Action done) override;
  tcp::Post post() override;

 private:
  void follow(const tcp::State& state);
  std::vector<SentFrame> take_frames();

  std::shared_ptr<std::deque<tcp::Action>> posted_ = std::make_shared<std::deque<tcp::Action>>();
  std::string received_;
  tcp::State state_;
  std::unique_ptr<tcp::Protocol> protocol_;
};

/// A server without sockets, whose clock stands still unless a test moves it.
class TestServer {
 public:
  explicit TestServer(ServiceOptions options = {});

  Service& service() { return service_; }
  tenancy::Worlds& worlds() { return worlds_; }
  base::ManualClock& clock() { return clock_; }

 private:
  base::ManualClock clock_;
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_;
  Service service_;
};

/// Bodies of requests.
std::string query_body(std::string_view statement, int consistency = 1);
std::string startup_body(std::string_view application = {});
std::string request_frame(int opcode, std::string_view body, int stream = 1, int version = 4);

}  // namespace dinette::cql::test
