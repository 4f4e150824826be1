#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

#include "dinette/kv/error.h"

namespace dinette::kv {

/// The servers that share engines, and what they agree on: that all have seen a change, and which one does
/// the background work. Thread-safe.
class Coordinator {
 public:
  /// What a server does about it. All are called on one thread, which may wait for the database.
  class Member {
   public:
    virtual ~Member() = default;

    /// A server has changed which engines are kept, or what is kept in those of these numbers
    /// (Engines::number_of), or in any if there is no set: reads it again.
    virtual Result<void> changed(const std::optional<std::set<std::uint64_t>>& engines) = 0;
    /// Another server may have committed in commit order.
    virtual void appended() = 0;
    /// From now on the background work of all engines is done here.
    virtual void begin_work() = 0;
    /// Another server has left work to this one, in the engine of that number.
    virtual void find_work(std::uint64_t engine) = 0;
    /// The work is left to another server. Returns when no step of it runs here.
    virtual void end_work() = 0;
  };

  Coordinator() = default;
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;
  virtual ~Coordinator() = default;

  /// Makes this server one of them; it is when this returns. Until leave(), which ends the work here, the
  /// member must live. At most once.
  virtual Result<void> join(Member& member) = 0;
  virtual void leave() = 0;

  /// After a change of what is kept in an engine, or, for 0, of which engines are kept: returns when all
  /// servers have seen it, except for those that are not there any more.
  virtual Result<void> announce(std::uint64_t engine) = 0;
  /// Returns when the work is done here. Must not be called by a member's functions.
  virtual Result<void> take_work() = 0;
  /// Has the server that does the work look for new work in an engine. Does not wait. What the work is known
  /// by must be committed soon.
  virtual void leave_work(std::uint64_t engine) = 0;

  /// Returns how many servers there are, as of a moment ago.
  virtual std::size_t servers() const = 0;
};

}  // namespace dinette::kv
