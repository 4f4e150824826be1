#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/cql/service.h"
#include "dinette/tenancy/worlds.h"

// Any bytes on a connection of the native protocol: the first byte says who may connect, and in which pieces
// the others arrive. Frames are answered by whole frames, and a connection that ends takes nothing more.
namespace {

using namespace dinette;

/// A connection without a socket. What is handed to workers runs at once.
class Connection final : public tcp::Link {
 public:
  explicit Connection(cql::Service& service) : protocol_(service.make(*this, {.remote = "1.2.3.4:5"})) {
    follow(protocol_->resume());
  }

  void send(std::string_view bytes, std::size_t piece) {
    while (!bytes.empty() && state_.reads) {
      const auto room = protocol_->room();
      const std::size_t count = std::min({room.size(), bytes.size(), piece});
      std::copy_n(bytes.data(), count, room.data());
      bytes.remove_prefix(count);
      follow(protocol_->received(count));
      while (!posted_->empty()) {
        const tcp::Action action = std::move(posted_->front());
        posted_->pop_front();
        follow(action());
      }
    }
    check_frames();
  }

  void run(std::function<void()> work, tcp::Action done) override {
    work();
    posted_->push_back(std::move(done));
  }

  tcp::Post post() override {
    return [posted = posted_](tcp::Action action) {
      posted->push_back(std::move(action));
      return true;
    };
  }

 private:
  void follow(const tcp::State& state) {
    state_ = state;
    while (state_.writes || state_.more) {
      if (state_.writes) {
        const tcp::Output output = protocol_->output();
        sent_.append(output.first).append(output.second);
        state_ = protocol_->sent();
      } else {
        state_ = protocol_->resume();
      }
    }
  }

  void check_frames() const {
    constexpr std::size_t head = 9;
    std::string_view rest = sent_;
    while (!rest.empty()) {
      if (rest.size() < head) std::abort();
      std::size_t size = 0;
      for (const char byte : rest.substr(5, 4)) size = size << 8 | static_cast<unsigned char>(byte);
      if (rest.size() - head < size) std::abort();
      rest.remove_prefix(head + size);
    }
  }

  std::shared_ptr<std::deque<tcp::Action>> posted_ = std::make_shared<std::deque<tcp::Action>>();
  std::string sent_;
  tcp::State state_;
  std::unique_ptr<tcp::Protocol> protocol_;
};

struct Server {
  tenancy::WorldsOptions worlds_with_keyspaces() {
    tenancy::WorldsOptions options;
    options.faces = {cql::world_face()};
    options.run_jobs = false;
    return options;
  }
  cql::ServiceOptions for_all() { return {.strict = true}; }
  cql::ServiceOptions for_users() {
    return {.log_in = {.mode = cql::LogInOptions::Mode::verify,
                       .passwords = {{"alice", "secret"}},
                       .keys = {{"AKID", {.secret = "secret"}}}}};
  }

  base::ManualClock clock{base::TimePoint(std::chrono::hours(500'000))};
  base::SeededIds ids{1};
  tenancy::Worlds worlds{worlds_with_keyspaces(), clock, ids};
  cql::Service open{for_all(), worlds, clock, ids};
  cql::Service closed{for_users(), worlds, clock, ids};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Keyspaces and tables that earlier inputs have made are there for a while.
  static std::unique_ptr<Server> server;
  static int inputs = 0;
  if (inputs++ % 1000 == 0) server = std::make_unique<Server>();
  if (size == 0) return 0;
  const unsigned kind = data[0];
  Connection connection(kind % 2 == 0 ? server->open : server->closed);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  connection.send(bytes, kind < 128 ? bytes.size() : kind - 127);
  return 0;
}
