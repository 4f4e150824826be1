#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dinette/kv/engine.h"

namespace dinette::kv::postgres {

/// Locks as the database knows them: numbers of 64 bits, which are the same on every server. Two names may,
/// very rarely, have the same number; that costs waiting, nothing else.
class LockSet {
 public:
  LockSet() = default;
  /// Names are of one world.
  LockSet(std::int64_t world, std::span<const Lock> locks);

  /// Returns these, and then that of a commit of `world`, shared (of_commit).
  LockSet with_commit(std::int64_t world) const;

  bool empty() const { return names_.empty(); }
  /// In ascending order, that of a commit last, so that transactions do not deadlock. Each once.
  std::span<const std::int64_t> names() const { return names_; }
  /// Which of them are shared.
  const std::vector<bool>& shared() const { return shared_; }

  /// Returns the lock that every commit of a world holds, shared, until it ends; exclusively if no other may
  /// be under way.
  static LockSet of_commit(std::int64_t world, bool shared);

 private:
  std::vector<std::int64_t> names_;
  std::vector<bool> shared_;
};

}  // namespace dinette::kv::postgres
