#pragma once

// A second protocol, reduced to what tcp promises to protocols: several requests in flight, responses in any
// order, pushes. A frame is one byte for the stream, four for the length (most significant first), and the
// body. The body of a request decides what happens (`Frames::begin`).

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/tcp/protocol.h"

namespace dinette::tcp {

/// The stream of pushes.
inline constexpr char pushed = '*';

std::string frame(char stream, std::string_view body);

/// State shared by a test and the connections of its server.
class Stage {
 public:
  /// Lets the work `name` end, even if it has not begun yet.
  void open(const std::string& name);
  void open_all();
  /// Waits, on a worker, until the test opens it.
  void wait(const std::string& name);
  bool entered(const std::string& name);
  bool has_ended(const std::string& name);

  /// Returns all requests in the order in which they began.
  std::vector<std::string> begun();
  void note_begun(const std::string& body);

  void subscribe(Post post, std::function<State(std::string)> push);
  /// Pushes to all subscribers. Returns how many are left.
  std::size_t push(const std::string& body);

  std::size_t most_in_flight = 8;
  std::atomic<std::size_t> bytes_received = 0;
  std::atomic<int> unasked_turns = 0;  ///< calls of resume() that no State requested
  std::string_view alpn = "frames";

 private:
  struct Subscriber {
    Post post;
    std::function<State(std::string)> push;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  bool all_open_ = false;
  std::set<std::string> open_, entered_, ended_;
  std::vector<std::string> begun_;
  std::vector<Subscriber> subscribers_;
};

class Frames final : public Protocol {
 public:
  Frames(Stage& stage, Link& link, bool secure) : stage_(stage), link_(link), secure_(secure) {}

  State resume() override;
  std::span<char> room() override;
  State received(std::size_t n) override;
  Output output() override;
  State sent() override;
  State refuse(Cutoff why) override;
  void drain() override { draining_ = true; }
  std::size_t memory() const override;
  void trim() override { ++trims_; }

 private:
  bool has_frame() const;
  void begin(char stream, const std::string& body);
  State answer(char stream, std::string_view body);
  State finish(char stream, const std::string& body);
  State go_on();
  State state();

  Stage& stage_;
  Link& link_;
  const bool secure_;
  std::array<char, 4096> chunk_;
  std::string in_;
  std::string sending_, queued_;
  std::uint32_t requests_ = 0;
  std::size_t in_flight_ = 0;
  std::size_t trims_ = 0;
  Ending ending_ = Ending::none;
  bool draining_ = false;
  bool room_in_use_ = false;
  bool asked_for_turn_ = true;  ///< the first one is not requested
};

class FramesFactory final : public ProtocolFactory {
 public:
  explicit FramesFactory(Stage& stage) : stage_(stage) {}

  std::unique_ptr<Protocol> make(Link& link, Peer peer) override {
    return std::make_unique<Frames>(stage_, link, peer.secure);
  }
  std::string turn_away(const Peer&) override { return frame(pushed, "no room"); }
  std::string_view alpn() const override { return stage_.alpn; }

 private:
  Stage& stage_;
};

}  // namespace dinette::tcp
