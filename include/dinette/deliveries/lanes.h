#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"
#include "dinette/kv/error.h"

namespace dinette::deliveries {

/// When a lane goes on.
struct Pause {
  enum class Until : std::uint8_t {
    at_once,
    appended,  ///< when something is appended to any stream of the world
    woken,     ///< by Lanes::wake() alone
    moment,    ///< by the world's clock, or when something is appended
    elapsed,   ///< by the real clock: for what is outside of the world
    done,      ///< never
  };
  Until until = Until::appended;
  base::TimePoint moment = {};
  std::chrono::milliseconds time{0};  ///< of Until::elapsed

  static Pause done() { return {Until::done}; }
  static Pause at(base::TimePoint moment) { return {Until::moment, moment}; }
  static Pause of(std::chrono::milliseconds time) { return {Until::elapsed, {}, time}; }
};

/// Work that goes on for as long as its world, and waits for others: the delivery of a stream's records. It
/// must know from what is stored how far it has come.
class Lane {
 public:
  Lane() = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  virtual ~Lane() = default;

  /// Does some work, never on two threads at once. May wait for networks; returns soon after a stop is
  /// requested. A step that fails or throws is logged, and repeated after a pause of real time.
  virtual kv::Result<Pause> step(const std::stop_token& stop) = 0;
};

/// Runs the lanes of one world, each on a thread while it has something to do: a lane that waits for a slow
/// target delays no other. Threads are started when they are needed, up to `most_threads`, and end when they
/// have been idle for a while. Thread-safe. `jobs` must outlive it.
class Lanes {
 public:
  static constexpr std::size_t most_threads = 64;

  /// `jobs`: of the world, whose clock has the moments of Pause::Until::moment.
  explicit Lanes(base::Jobs& jobs);
  /// As stop().
  ~Lanes();
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  /// Runs a lane, at once, until it is done. Does nothing if there is one of that name: it is woken.
  void add(const std::string& name, std::shared_ptr<Lane> lane);
  /// Has a lane run now, even if it waits for the real clock; again if it is running.
  void wake(const std::string& name);
  /// Returns true if there is a lane of that name that is not done.
  bool has(const std::string& name) const;

  /// Returns true if a step is running.
  bool is_running() const;

  /// Has all lanes run that wait for records. Costs next to nothing if there is none. Never throws.
  void appended() noexcept;

  /// Leaves the lanes to another process: all end, and where one is added or woken from now on, `left` is
  /// called instead, which must be brief. Returns when no step runs; must not be called by one.
  void leave_elsewhere(std::function<void()> left);
  /// Runs lanes here again. Those that were left must be added again.
  void do_here();

  /// Asks all steps to end; none begins afterwards.
  void request_stop();
  /// The same, and waits for them. Calls after it do nothing.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::deliveries
